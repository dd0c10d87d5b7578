// Process stacks: reserved large, touched little, reused.
//
// Layout: stacks are carved from slabs, each aligned to its size, without guard pages between them (a guard would split the mapping,
//   and the kernel allows some 65,000): generated code checks the limit, RT_STACK_HEADROOM above the low end. The process
//   structure stands at the top; its distance from the end varies from stack to stack (the colour), or the tops of all stacks
//   would compete for the same cache sets.
// Soft limit: the first limit generated code sees is RT_STACK_SOFT below the top. Crossing it calls nxd_stack_check, which notes that the
//   stack is deep and lowers the limit: so the pages of stacks that were used deeply can be given back, at no cost to the others.
// Invariants: memory of stacks is never unmapped; a stale pointer to a process reads an old process, or zeros.
// Threads: a worker's cache is its own; slabs and the pool are guarded by `lock`, always taken for real.
// Rejected: growing stacks by copying (C frames hold pointers); a guard page each (see above).
#include "nxd/stack.h"

#include "nxd/worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum {
    DEFAULT_KILOBYTES = 1024,
    LEAST_KILOBYTES = 128,
    MOST_KILOBYTES = 1 << 20,
    SLAB_FIRST = 16,
    SLAB_MOST = 1024,
    COLOURS = 32,
    COLOUR_BYTES = 64,
    CACHE_MOST = 8192, // stacks in a worker's cache; half of them go to the pool
    POOL_TOUCHED = 16384, // stacks in the pool that may keep their memory
    DEEP_MOST = 32,       // deep stacks in a worker's cache that may keep their memory
    PAGE = 4096
};
#define MAIN_STACK ((int64_t)1 << 30)

typedef struct slab {
    char *base;
    int64_t stacks;
    int64_t carved;
} slab;

static rt_spin lock;
static slab **slabs;
static int64_t slab_count;
static rt_process **pool;
static int64_t pool_count;
static int64_t pool_capacity;
static int64_t stack_size; // 0: not read from the environment yet
static rt_process *main_process;
static char *main_low;
static uint64_t wait_epoch; // rounds of emptied stacks start anew, far from the old ones

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

static void *reserve(int64_t bytes) {
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(memory, (size_t)bytes, MADV_NOHUGEPAGE); // or each stack would take two megabytes
#endif
    return memory;
}

// The process at the top of the stack with this low end.
static rt_process *process_at(char *low) {
    int64_t colour = (int64_t)((uintptr_t)low / (uintptr_t)stack_size) % COLOURS;
    return (rt_process *)(low + stack_size - colour * COLOUR_BYTES - (int64_t)sizeof(rt_process));
}

static slab *add_slab(void) {
    int64_t stacks = SLAB_FIRST;
    if (slab_count > 0)
        stacks = rt_min(slabs[slab_count - 1]->stacks * 2, SLAB_MOST);
    char *memory = NULL;
    for (; stacks > 0 && memory == NULL; stacks /= 2) {
        memory = reserve((stacks + 1) * stack_size); // one more, for the alignment
        if (memory != NULL)
            break;
    }
    if (memory == NULL)
        rt_fatal("out of memory for process stacks");
    slab *added = malloc(sizeof *added);
    if ((slab_count & (slab_count - 1)) == 0) {
        slab **grown = malloc((size_t)(slab_count == 0 ? 1 : 2 * slab_count) * sizeof *grown);
        if (grown == NULL)
            rt_fatal("out of memory for process stacks");
        if (slab_count > 0)
            memcpy(grown, slabs, (size_t)slab_count * sizeof *grown);
        free(slabs);
        slabs = grown;
    }
    if (added == NULL)
        rt_fatal("out of memory for process stacks");
    uintptr_t aligned = ((uintptr_t)memory + (uintptr_t)stack_size - 1) & ~((uintptr_t)stack_size - 1);
    added->base = (char *)aligned;
    added->stacks = stacks;
    added->carved = 0;
    slabs[slab_count] = added;
    slab_count++;
    return added;
}

static rt_process *carve_locked(void) {
    if (stack_size == 0)
        stack_size = read_stack_size();
    slab *last = slab_count == 0 ? NULL : slabs[slab_count - 1];
    if (last == NULL || last->carved == last->stacks)
        last = add_slab();
    rt_process *process = process_at(last->base + last->carved * stack_size);
    last->carved++;
    return process;
}

static void cache_push(rt_worker *worker, rt_process *process) {
    if (worker->stack_count == worker->stack_capacity) {
        worker->stack_capacity = worker->stack_capacity == 0 ? 64 : 2 * worker->stack_capacity;
        worker->stacks = realloc(worker->stacks, (size_t)worker->stack_capacity * sizeof *worker->stacks);
        if (worker->stacks == NULL)
            rt_fatal("out of memory for process stacks");
    }
    worker->stacks[worker->stack_count++] = process;
}

static RT_COLD rt_process *take_slow(rt_worker *worker) {
    rt_process *process;
    rt_spin_take(&lock, RT_RANK_STACKS, true);
    if (pool_count > 0) {
        int64_t batch = rt_min(pool_count, CACHE_MOST / 8);
        for (int64_t index = 1; index < batch; index++)
            cache_push(worker, pool[pool_count - index]); // the last pushed is the longest in the pool: all are cold
        process = pool[pool_count - batch];
        pool_count -= batch;
    } else {
        process = carve_locked();
    }
    uint64_t epoch = wait_epoch;
    rt_spin_give(&lock, true);
    if (atomic_load_explicit(&process->wait, memory_order_relaxed) < epoch)
        atomic_store_explicit(&process->wait, epoch, memory_order_relaxed);
    return process;
}

rt_process *rt_stack_take(rt_worker *worker) {
    rt_process *process;
    if (RT_LIKELY(worker->stack_count > 0))
        process = worker->stacks[--worker->stack_count];
    else
        process = take_slow(worker);
    if (RT_UNLIKELY(process->deep))
        worker->stack_deep--;
    return process;
}

void *rt_stack_low(const rt_process *process) {
    if (process == main_process)
        return main_low;
    return (void *)((uintptr_t)process & ~((uintptr_t)stack_size - 1));
}

// Gives back what lies below the part of the stack that is always used.
static void trim_deep(const rt_process *process) {
    char *low = rt_stack_low(process);
    uintptr_t keep = ((uintptr_t)process - RT_STACK_SOFT / 2) & ~(uintptr_t)(PAGE - 1);
    madvise(low, keep - (uintptr_t)low, MADV_DONTNEED);
}

static RT_COLD void spill(rt_worker *worker) {
    rt_spin_take(&lock, RT_RANK_STACKS, true);
    int64_t moved = CACHE_MOST / 2;
    if (pool_count + moved > pool_capacity) {
        pool_capacity = rt_max(2 * pool_capacity, pool_count + moved);
        pool = realloc(pool, (size_t)pool_capacity * sizeof *pool);
        if (pool == NULL)
            rt_fatal("out of memory for process stacks");
    }
    for (int64_t index = 0; index < moved; index++) {
        rt_process *process = worker->stacks[index]; // the coldest
        if (process->deep)
            worker->stack_deep--;
        if (pool_count >= POOL_TOUCHED) {
            uint64_t wait = atomic_load_explicit(&process->wait, memory_order_relaxed);
            if (wait >= wait_epoch)
                wait_epoch = (wait & ~(uint64_t)1) + 2;
            madvise(rt_stack_low(process), (size_t)stack_size, MADV_DONTNEED);
        } else if (process->deep) {
            trim_deep(process);
            process->deep = false;
        }
        pool[pool_count++] = process;
    }
    rt_spin_give(&lock, true);
    worker->stack_count -= moved;
    memmove(worker->stacks, worker->stacks + moved, (size_t)worker->stack_count * sizeof *worker->stacks);
}

void rt_stack_release(rt_worker *worker, rt_process *process) {
    if (RT_UNLIKELY(process->deep)) {
        if (worker->stack_deep >= DEEP_MOST) {
            trim_deep(process);
            process->deep = false;
        } else {
            worker->stack_deep++;
        }
    }
    if (RT_UNLIKELY(worker->stack_count >= CACHE_MOST))
        spill(worker);
    cache_push(worker, process);
}

rt_process *rt_stack_main(void) {
    int64_t size = MAIN_STACK;
    char *low = NULL;
    for (; size > PAGE * PAGE / 16; size /= 2) {
        low = reserve(size);
        if (low != NULL)
            break;
    }
    if (low == NULL)
        rt_fatal("out of memory for the main stack");
    main_low = low;
    main_process = (rt_process *)((uintptr_t)(low + size - sizeof(rt_process)) & ~(uintptr_t)63);
    return main_process;
}

void rt_stack_each(bool (*visit)(rt_process *process, void *argument), void *argument) {
    rt_spin_take(&lock, RT_RANK_STACKS, true);
    int64_t count = slab_count;
    rt_spin_give(&lock, true);
    for (int64_t index = 0; index < count; index++) {
        rt_spin_take(&lock, RT_RANK_STACKS, true); // the table may move, the slabs do not
        slab *visited = slabs[index];
        int64_t carved = visited->carved;
        rt_spin_give(&lock, true);
        for (int64_t stack = 0; stack < carved; stack++)
            if (!visit(process_at(visited->base + stack * stack_size), argument))
                return;
    }
    visit(main_process, argument);
}
