// Process stacks: reserved large, touched little, reused.
//
// Layout: stacks are carved from slabs, each aligned to its size, without guard pages between them (a guard would split
//   the mapping, and the kernel allows some 65,000): generated code checks the limit, RT_STACK_HEADROOM above the low
//   end. The distance of the first frame from the end varies from stack to stack (the colour), or the tops of all
//   stacks would compete for the same cache sets; it leaves room for the frames of a process that waits, so that one
//   page is touched.
// Soft limit: the first limit generated code sees is RT_STACK_SOFT below the top. Crossing it calls nxd_stack_check,
//   which notes that the stack is deep and lowers the limit: so the pages of stacks that were used deeply can be given
//   back, at no cost to the others.
// Giving back: a stack in the pool keeps its page. The monitor gives back what the pool has too many of, a few at a time while
//   workers run (a madvise costs ten times as much as the end of a process), and at once when all rest.
// Threads: a worker's cache is its own; slabs and the pool are guarded by `stacks_lock`, always taken for real.
// Rejected: growing stacks by copying (C frames hold pointers); a guard page each (see above); smaller stacks (a
//   quarter of the size makes 100,000 sleepers 0.3 s faster, page tables, but recursion in a process would end four
//   times as early).
#include "nxd/stack.h"

#include "nxd/worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

typedef struct rt_stack_list {
    char **items;
    int64_t count;
    int64_t capacity;
} rt_stack_list;

enum {
    DEFAULT_KILOBYTES = 1024,
    LEAST_KILOBYTES = 128,
    MOST_KILOBYTES = 1 << 20,
    SLAB_FIRST = 16,
    SLAB_MOST = 1024,
    COLOURS = 32,
    COLOUR_BYTES = 64,
#ifdef NXD_TESTING
    CACHE_MOST = 16,
    POOL_TOUCHED = 24,
    DEEP_MOST = 2,
    CLEAN_BATCH = 4,
#else
    CACHE_MOST = 1024,    // stacks in a worker's cache; half of them go to the pool
    POOL_TOUCHED = 16384, // stacks in the pool that may keep their memory
    DEEP_MOST = 32,       // deep stacks in a worker's cache that may keep their memory
    CLEAN_BATCH = 16,     // stacks whose memory the monitor gives back at a time
#endif
    DEEP_BIT = 1,         // in the addresses of cached stacks
    STACK_PAGE = 4096
};
// A quarter of 1 GiB: four million frames of a recursive function; at 1 GiB a runaway recursion took 3 s to be told.
#define MAIN_STACK ((int64_t)256 << 20)

static rt_spin stacks_lock;
static char *slab_next; // the next stack to carve
static char *slab_end;
static int64_t slab_stacks; // in the newest slab
static rt_stack_list stack_pool;  // these may have memory,
static rt_stack_list stack_clean; // these have none
static _Atomic int64_t stacks_surplus; // in the pool, above POOL_TOUCHED; a hint for the monitor
static int64_t stack_size; // 0: not read from the environment yet

static int64_t read_stack_size(void) {
    const char *text = getenv("NXD_STACK_KB");
    long kilobytes = text == NULL ? 0 : strtol(text, NULL, 10);
    if (kilobytes <= 0)
        kilobytes = DEFAULT_KILOBYTES;
    int64_t size = LEAST_KILOBYTES;
    while (size < kilobytes && size < MOST_KILOBYTES)
        size *= 2;
    return size << 10;
}

static char *stack_reserve(int64_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(memory, (size_t)bytes, MADV_NOHUGEPAGE); // or each stack would take two megabytes
#endif
    return memory;
}

static void stack_add_slab(void) {
    char *memory = NULL;
    int64_t stacks = slab_stacks == 0 ? SLAB_FIRST : rt_min(2 * slab_stacks, SLAB_MOST);
    for (; stacks > 0; stacks /= 2) {
        memory = stack_reserve((stacks + 1) * stack_size); // one more, for the alignment
        if (memory != NULL)
            break;
    }
    if (memory == NULL)
        rt_fatal_memory();
    uintptr_t mask = (uintptr_t)stack_size - 1;
    slab_next = (char *)(((uintptr_t)memory + mask) & ~mask);
    slab_end = slab_next + stacks * stack_size;
    slab_stacks = stacks;
}

static char *stack_carve_locked(void) {
    if (stack_size == 0)
        stack_size = read_stack_size();
    if (slab_next == slab_end)
        stack_add_slab();
    char *low = slab_next;
    slab_next += stack_size;
    return low;
}

static void stack_cache(rt_worker *worker, char *low, bool deep) {
    if (worker->stacks == NULL) {
        worker->stacks = malloc((CACHE_MOST + 1) * sizeof *worker->stacks);
        if (worker->stacks == NULL)
            rt_fatal_memory();
    }
    worker->stacks[worker->stack_count++] = (uintptr_t)low | (deep ? DEEP_BIT : 0);
}

// Makes room for `more` stacks.
static void stack_list_reserve(rt_stack_list *list, int64_t more) {
    if (list->count + more <= list->capacity)
        return;
    list->capacity = rt_max(2 * list->capacity, list->count + more);
    list->items = realloc(list->items, (size_t)list->capacity * sizeof *list->items);
    if (list->items == NULL)
        rt_fatal_memory();
}

static void surplus_note_locked(void) {
    atomic_store_explicit(&stacks_surplus, stack_pool.count - POOL_TOUCHED, memory_order_relaxed);
}

static RT_COLD char *stack_take_slow(rt_worker *worker) {
    char *low;
    rt_spin_take(&stacks_lock, RT_RANK_STACKS, true);
    rt_stack_list *list = stack_pool.count > 0 ? &stack_pool : &stack_clean;
    if (list->count > 0) {
        int64_t batch = rt_min(list->count, CACHE_MOST / 8);
        for (int64_t index = 1; index < batch; index++)
            stack_cache(worker, list->items[--list->count], false);
        low = list->items[--list->count];
        surplus_note_locked();
    } else {
        low = stack_carve_locked();
    }
    rt_spin_give(&stacks_lock, true);
    return low;
}

rt_stack rt_stack_take(rt_worker *worker) {
    uintptr_t low;
    if (RT_LIKELY(worker->stack_count > 0))
        low = worker->stacks[--worker->stack_count];
    else
        low = (uintptr_t)stack_take_slow(worker);
    if (RT_UNLIKELY((low & DEEP_BIT) != 0)) {
        worker->stack_deep--;
        low -= DEEP_BIT;
    }
    uintptr_t colour = low / (uintptr_t)stack_size % COLOURS;
    return (rt_stack){.low = (char *)low, .top = (char *)low + stack_size - colour * COLOUR_BYTES};
}

// Gives back what lies below the part of the stack that is always used.
static void stack_trim(char *low) {
    int64_t keep = stack_size - RT_STACK_SOFT / 2;
    madvise(low, (size_t)keep, MADV_DONTNEED);
}

// Moves the colder half of the worker's cache to the pool.
static RT_COLD void stack_spill(rt_worker *worker) {
    int64_t moved = CACHE_MOST / 2;
    rt_spin_take(&stacks_lock, RT_RANK_STACKS, true);
    stack_list_reserve(&stack_pool, moved);
    for (int64_t index = 0; index < moved; index++) {
        bool deep = (worker->stacks[index] & DEEP_BIT) != 0;
        char *low = (char *)(worker->stacks[index] & ~(uintptr_t)DEEP_BIT);
        if (deep) {
            stack_trim(low);
            worker->stack_deep--;
        }
        stack_pool.items[stack_pool.count++] = low;
    }
    surplus_note_locked();
    rt_spin_give(&stacks_lock, true);
    worker->stack_count -= moved;
    memmove(worker->stacks, worker->stacks + moved, (size_t)worker->stack_count * sizeof *worker->stacks);
}

void rt_stack_release(rt_worker *worker, char *low, bool deep) {
    if (RT_UNLIKELY(deep)) {
        if (worker->stack_deep < DEEP_MOST) {
            worker->stack_deep++;
        } else {
            stack_trim(low);
            deep = false;
        }
    }
    stack_cache(worker, low, deep);
    if (RT_UNLIKELY(worker->stack_count > CACHE_MOST))
        stack_spill(worker);
}

bool rt_stack_clean_some(void) {
    char *lows[CLEAN_BATCH];
    int64_t count = 0;
    if (atomic_load_explicit(&stacks_surplus, memory_order_relaxed) <= 0)
        return false;
    rt_spin_take(&stacks_lock, RT_RANK_STACKS, true);
    while (count < CLEAN_BATCH && stack_pool.count > POOL_TOUCHED)
        lows[count++] = stack_pool.items[--stack_pool.count];
    surplus_note_locked();
    rt_spin_give(&stacks_lock, true);
    for (int64_t index = 0; index < count; index++)
        madvise(lows[index], (size_t)stack_size, MADV_DONTNEED);
    rt_spin_take(&stacks_lock, RT_RANK_STACKS, true);
    stack_list_reserve(&stack_clean, count);
    for (int64_t index = 0; index < count; index++)
        stack_clean.items[stack_clean.count++] = lows[index];
    rt_spin_give(&stacks_lock, true);
    return count == CLEAN_BATCH;
}

rt_stack rt_stack_main(void) {
    int64_t size = MAIN_STACK;
    char *low = stack_reserve(size);
    while (low == NULL && size > (DEFAULT_KILOBYTES << 10)) {
        size /= 2;
        low = stack_reserve(size);
    }
    if (low == NULL)
        rt_fatal_memory();
    return (rt_stack){.low = low, .top = low + size};
}
