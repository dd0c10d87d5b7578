// Allocation of objects: free lists by size class, one set per thread, batches exchanged with global lists.
//
// Purpose: objects are small and live shortly; malloc's bookkeeping costs more than the counting around it.
// Invariants: a block of class c has exactly class_size(c) bytes and is on one list or in use. A thread's list of a class never
//   holds more than two batches. Blocks above LARGEST_SMALL come from malloc. Chunks are never given back.
// Threads: the caches are thread-local; every function that reads them is not inlined, because a process that parks may go on in
//   another thread and must not keep the address. Global lists are guarded by `global_lock`, taken once a batch.
// Rejected: malloc alone: binary_trees takes 1.7 times as long (glibc 2.36, one thread). Classes of 16 bytes: 1.15 times, because most
//   structs are 24 or 40 bytes. Sanitizer builds do use malloc, so that ASan sees every block.
#include "nxd/alloc.h"

#include "nxd/hooks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

// ---- running out of memory ---------------------------------------------------------------------------------------------
//
// An allocation has no error to give back: the places that allocate are too many. Instead a reserve is given up, so that this
// allocation and those up to the process's next poll succeed, and the poll raises E1009. Only what the reserve cannot hold ends
// the program; what may be large asks first (rt_alloc_fits).

enum { RESERVE = 1 << 22, ASKS = 1 << 20 }; // malloc may want 1 MiB more than it is asked for

static void *_Atomic reserve;

static void reserve_fill(void) {
    if (RT_LIKELY(atomic_load_explicit(&reserve, memory_order_relaxed) != NULL))
        return;
    void *none = NULL;
    void *memory = malloc(RESERVE);
    if (memory != NULL && !atomic_compare_exchange_strong(&reserve, &none, memory))
        free(memory);
}

#ifdef NXD_DEBUG
// The tests let each allocation in turn fail: NXD_FAIL_ALLOC is its number.
static int64_t fails_at; // 0: not read yet, below 0: none
static int64_t attempts;

static int64_t number_to_fail(void) {
    int64_t wanted = __atomic_load_n(&fails_at, __ATOMIC_RELAXED);
    if (RT_UNLIKELY(wanted == 0)) {
        const char *text = getenv("NXD_FAIL_ALLOC");
        wanted = text == NULL ? -1 : atoll(text);
        __atomic_store_n(&fails_at, wanted, __ATOMIC_RELAXED);
    }
    return wanted;
}

static bool fails_for_test(void) {
    int64_t wanted = number_to_fail();
    return wanted > 0 && __atomic_add_fetch(&attempts, 1, __ATOMIC_RELAXED) == wanted;
}

bool rt_alloc_test_is_over(void) {
    int64_t wanted = number_to_fail();
    return wanted > 0 && __atomic_load_n(&attempts, __ATOMIC_RELAXED) < wanted;
}
#else
static inline bool fails_for_test(void) {
    return false;
}
#endif

static RT_COLD void *obtain_at_last(void *old, size_t size) {
    free(atomic_exchange(&reserve, NULL));
    rt_hook_out_of_memory();
    void *memory = realloc(old, size);
    if (memory == NULL)
        rt_fatal_memory();
    return memory;
}

// malloc or realloc.
static inline void *obtain(void *old, int64_t size) {
    void *memory = realloc(old, (size_t)(size > 0 ? size : 1));
    return RT_LIKELY(memory != NULL) ? memory : obtain_at_last(old, (size_t)(size > 0 ? size : 1));
}

bool rt_alloc_fits(int64_t size) {
    if (RT_LIKELY(size < ASKS))
        return !RT_UNLIKELY(fails_for_test());
#if defined(RT_ASAN) || defined(RT_TSAN)
    return size < INT64_C(1) << 33; // the sanitizers' malloc ends the program instead
#else
    void *memory = malloc((size_t)size);
    free(memory);
    return memory != NULL;
#endif
}

int64_t rt_alloc_growth(int64_t wanted, int64_t least) {
    if (RT_LIKELY(wanted < ASKS) || rt_alloc_fits(wanted))
        return wanted;
    rt_hook_out_of_memory();
    return least;
}

// ---- tables ------------------------------------------------------------------------------------------------------------

// A table larger than what the processor's table of pages covers misses there as well at every random read; huge pages spare that.
void *rt_alloc_table(int64_t size) {
    if (size < HUGE_PAGE) {
        void *memory = rt_alloc(size);
        return memset(memory, 0, (size_t)size);
    }
    // mmap aligns to small pages only: what lies before and after the aligned part goes back
    size_t wanted = ((size_t)size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *mapped = mmap(NULL, wanted + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        rt_fatal_memory();
    size_t before = (HUGE_PAGE - (uintptr_t)mapped % HUGE_PAGE) % HUGE_PAGE;
    if (before != 0)
        munmap(mapped, before);
    munmap(mapped + before + wanted, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(mapped + before, wanted, MADV_HUGEPAGE);
#endif
    return mapped + before;
}

void rt_free_table(void *memory, int64_t size) {
    if (memory == NULL)
        return;
    if (size < HUGE_PAGE)
        rt_free(memory, size);
    else
        munmap(memory, ((size_t)size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

#if defined(NXD_ASAN) || defined(NXD_PLAIN_MALLOC)

void *rt_alloc(int64_t size) {
    if (fails_for_test())
        rt_hook_out_of_memory();
    reserve_fill();
    return obtain(NULL, size);
}

void rt_free(void *memory, int64_t size) {
#ifdef NXD_DEBUG
    if (memory != NULL)
        memset(memory, 0xDD, (size_t)size);
#endif
    (void)size;
    free(memory);
}

void *rt_realloc(void *memory, int64_t old_size, int64_t new_size) {
    (void)old_size;
    if (fails_for_test())
        rt_hook_out_of_memory();
    return obtain(memory, new_size);
}

int64_t rt_alloc_usable(int64_t size) {
    return size;
}

void rt_alloc_thread_end(void) {
}

#else

enum { GRAIN = 8, LARGEST_SMALL = 512, CLASSES = LARGEST_SMALL / GRAIN + 1, ALLOC_BATCH = 64, CHUNK = 256 * 1024 };

typedef struct block {
    struct block *next;
    struct block *next_batch; // of the first block of a batch on a global list
} block;

typedef struct cache {
    block *head;
    int64_t count;
} cache;

typedef struct global_list {
    block *batches;
    char *fresh; // unused rest of the class's chunk
    char *fresh_end;
} global_list;

static _Thread_local cache caches[CLASSES];
static global_list globals[CLASSES];
static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;

static inline int64_t class_of(int64_t size) {
    return (rt_max(size, (int64_t)sizeof(block)) + GRAIN - 1) / GRAIN; // a free block holds its links
}

// Links the next blocks of the class's chunk to a batch. The global lock is held.
static block *alloc_carve_locked(global_list *list, int64_t size) {
    if (list->fresh_end - list->fresh < size) {
        reserve_fill();
        list->fresh = obtain(NULL, CHUNK);
        list->fresh_end = list->fresh + CHUNK / size * size;
    }
    int64_t count = rt_min(ALLOC_BATCH, (list->fresh_end - list->fresh) / size);
    char *first = list->fresh;
    list->fresh += count * size;
    for (int64_t i = 0; i + 1 < count; i++)
        ((block *)(void *)(first + i * size))->next = (block *)(void *)(first + (i + 1) * size);
    ((block *)(void *)(first + (count - 1) * size))->next = NULL;
    return (block *)(void *)first;
}

static RT_COLD block *refill(cache *own, int64_t class) {
    global_list *list = &globals[class];
    pthread_mutex_lock(&global_lock);
    block *batch = list->batches;
    if (batch != NULL)
        list->batches = batch->next_batch;
    else
        batch = alloc_carve_locked(list, class * GRAIN);
    pthread_mutex_unlock(&global_lock);
    own->count = ALLOC_BATCH; // a batch from a chunk's end may be shorter; the count is only a bound
    own->head = batch;
    return batch;
}

// Gives the newest BATCH blocks to the global list.
static RT_COLD void spill(cache *own, int64_t class) {
    block *first = own->head, *last = first;
    int64_t count = 1;
    while (count < ALLOC_BATCH && last->next != NULL) {
        last = last->next;
        count++;
    }
    own->head = last->next;
    own->count = own->head == NULL ? 0 : own->count - count;
    last->next = NULL;
    pthread_mutex_lock(&global_lock);
    first->next_batch = globals[class].batches;
    globals[class].batches = first;
    pthread_mutex_unlock(&global_lock);
}

RT_NOINLINE void *rt_alloc(int64_t size) {
    if (fails_for_test())
        rt_hook_out_of_memory();
    if (RT_UNLIKELY(size > LARGEST_SMALL))
        return obtain(NULL, size);
    int64_t class = class_of(size);
    cache *own = &caches[class];
    block *taken = own->head;
    if (RT_UNLIKELY(taken == NULL))
        taken = refill(own, class);
    own->head = taken->next;
    own->count--;
    return taken;
}

RT_NOINLINE void rt_free(void *memory, int64_t size) {
    if (RT_UNLIKELY(memory == NULL))
        return;
#ifdef NXD_DEBUG
    memset(memory, 0xDD, (size_t)size);
#endif
    if (RT_UNLIKELY(size > LARGEST_SMALL)) {
        free(memory);
        return;
    }
    int64_t class = class_of(size);
    cache *own = &caches[class];
    block *freed = memory;
    freed->next = own->head;
    own->head = freed;
    if (RT_UNLIKELY(++own->count > 2 * ALLOC_BATCH))
        spill(own, class);
}

void *rt_realloc(void *memory, int64_t old_size, int64_t new_size) {
    if (old_size > LARGEST_SMALL && new_size > LARGEST_SMALL)
        return obtain(memory, new_size);
    if (old_size > 0 && old_size <= LARGEST_SMALL && new_size <= LARGEST_SMALL && class_of(old_size) == class_of(new_size))
        return memory;
    void *moved = rt_alloc(new_size);
    if (memory != NULL) {
        memcpy(moved, memory, (size_t)rt_min(old_size, new_size));
        rt_free(memory, old_size);
    }
    return moved;
}

int64_t rt_alloc_usable(int64_t size) {
    return size > LARGEST_SMALL ? size : class_of(size) * GRAIN;
}

void rt_alloc_thread_end(void) {
    for (int64_t class = 1; class < CLASSES; class++)
        while (caches[class].head != NULL)
            spill(&caches[class], class);
}

#endif
