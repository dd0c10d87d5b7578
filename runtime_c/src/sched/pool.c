// Process structures: taken from slabs that are never given back.
//
// Invariants: memory of a process structure stays one for ever, so a stale pointer (a timer's, the monitor's) reads an
//   old process; `wait` goes on counting through all its users.
// Threads: a worker's list is its own; slabs and the common pool are guarded by `pool_lock`, always taken for real.
#include "nxd/stack.h"

#include "nxd/worker.h"

#include <stdlib.h>
#include <string.h>

enum {
#ifdef NXD_TESTING
    SLAB_PROCESSES = 5,
    POOL_LIST_MOST = 8,
    POOL_BATCH = 4
#else
    SLAB_PROCESSES = 256,
    POOL_LIST_MOST = 512, // in a worker's list; POOL_BATCH of them go to the pool
    POOL_BATCH = 256
#endif
};

typedef struct process_slab {
    struct process_slab *next; // older
    rt_process processes[SLAB_PROCESSES];
} process_slab;

static rt_spin pool_lock;
static process_slab *_Atomic process_slabs; // the newest
static rt_process *pool_batches; // the first of each list of POOL_BATCH, linked by `env`

static process_slab *process_slab_new(void) {
    size_t size = (sizeof(process_slab) + 63) / 64 * 64;
    process_slab *slab = aligned_alloc(64, size);
    if (slab == NULL)
        rt_fatal_memory();
    memset(slab, 0, size);
    return slab;
}

// Fills the worker's empty list.
static RT_COLD void pool_fill(rt_worker *worker) {
    rt_spin_take(&pool_lock, RT_RANK_STACKS, true);
    rt_process *batch = pool_batches;
    if (batch != NULL) {
        pool_batches = (rt_process *)batch->env;
        worker->free_first = batch;
        worker->free_count = POOL_BATCH;
        rt_spin_give(&pool_lock, true);
        return;
    }
    process_slab *slab = process_slab_new();
    slab->next = atomic_load_explicit(&process_slabs, memory_order_relaxed);
    atomic_store_explicit(&process_slabs, slab, memory_order_release);
    rt_spin_give(&pool_lock, true);
    for (int index = SLAB_PROCESSES - 1; index >= 0; index--) {
        slab->processes[index].next = worker->free_first;
        worker->free_first = &slab->processes[index];
    }
    worker->free_count = SLAB_PROCESSES;
}

rt_process *rt_pool_take(rt_worker *worker) {
    if (RT_UNLIKELY(worker->free_count == 0))
        pool_fill(worker);
    rt_process *process = worker->free_first;
    worker->free_first = process->next;
    worker->free_count--;
    return process;
}

static RT_COLD void pool_spill(rt_worker *worker) {
    rt_process *batch = worker->free_first;
    rt_process *last = batch;
    for (int index = 1; index < POOL_BATCH; index++)
        last = last->next;
    worker->free_first = last->next;
    worker->free_count -= POOL_BATCH;
    last->next = NULL;
    rt_spin_take(&pool_lock, RT_RANK_STACKS, true);
    batch->env = (nxd_object *)pool_batches; // a free process has no environment
    pool_batches = batch;
    rt_spin_give(&pool_lock, true);
}

void rt_pool_release(rt_worker *worker, rt_process *process) {
    process->next = worker->free_first;
    worker->free_first = process;
    if (RT_UNLIKELY(++worker->free_count > POOL_LIST_MOST))
        pool_spill(worker);
}

void rt_pool_each(bool (*visit)(rt_process *process, void *argument), void *argument) {
    process_slab *slab = atomic_load_explicit(&process_slabs, memory_order_acquire);
    for (; slab != NULL; slab = slab->next)
        for (int index = 0; index < SLAB_PROCESSES; index++)
            if (!visit(&slab->processes[index], argument))
                return;
}
