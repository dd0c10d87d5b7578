// Run queues: what happens when more than one worker is awake, or when choices are drawn.
//
// Invariants: length counts the list; `next` is not in it. Every queued process has a saved context (running is 0).
// Threads: lock guards the list and `next` whenever other workers may be awake. The monitor reads length and next
//   without it.
#include "nxd/worker.h"

#include <sched.h>

enum {
    STEAL_RUNQ_SPINS = 200,
#ifdef NXD_TESTING
    STEAL_MOST = 2
#else
    STEAL_MOST = 256
#endif
};

void rt_runq_settle(const rt_process *process) {
    for (int spins = 0; atomic_load_explicit(&process->running, memory_order_acquire) != 0; spins++) {
        if (spins > STEAL_RUNQ_SPINS)
            sched_yield();
        else
            rt_pause();
    }
}

void rt_runq_push_slow(rt_worker *worker, rt_process *process) {
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&worker->lock, RT_RANK_QUEUE, shared);
    rt_runq_push_unchecked(worker, process);
    rt_spin_give(&worker->lock, shared);
}

void rt_runq_wake_slow(rt_worker *worker, rt_process *process) {
    bool shared = rt_worker_shares(worker);
    bool last = rt_the_sched.seeded && (rt_worker_random(worker) & 1) != 0;
    if (shared)
        rt_runq_settle(process);
    rt_spin_take(&worker->lock, RT_RANK_QUEUE, shared);
    if (last)
        rt_runq_push_unchecked(worker, process);
    else
        rt_runq_wake_unchecked(worker, process);
    rt_spin_give(&worker->lock, shared);
}

// Seeded: a process from anywhere in the first part of the queue comes to its head.
static void shuffle_unchecked(rt_worker *worker) {
    rt_process *next = atomic_load_explicit(&worker->next, memory_order_relaxed);
    if (next != NULL) {
        atomic_store_explicit(&worker->next, NULL, memory_order_relaxed);
        rt_runq_push_unchecked(worker, next);
    }
    uint64_t turns = rt_worker_random(worker) & 3;
    for (; turns > 0 && worker->head != NULL && worker->head->next != NULL; turns--) {
        rt_process *first = worker->head;
        worker->head = first->next;
        first->next = NULL;
        worker->tail->next = first;
        worker->tail = first;
    }
}

rt_process *rt_runq_take_slow(rt_worker *worker) {
    bool shared = rt_worker_shares(worker);
    if (rt_runq_is_empty(worker)) // only the owner adds
        return NULL;
    rt_spin_take(&worker->lock, RT_RANK_QUEUE, shared);
    if (rt_the_sched.seeded && (rt_worker_random(worker) & 1) != 0)
        shuffle_unchecked(worker);
    rt_process *process = rt_runq_take_unchecked(worker);
    rt_spin_give(&worker->lock, shared);
    return process;
}

rt_process *rt_runq_steal(rt_worker *worker, rt_worker *victim) {
    rt_ready stolen = {NULL, NULL};
    rt_spin_take(&victim->lock, RT_RANK_QUEUE, true);
    int64_t length = atomic_load_explicit(&victim->length, memory_order_relaxed);
    int64_t count = rt_min((length + 1) / 2, STEAL_MOST);
    for (int64_t index = 0; index < count; index++) {
        rt_process *process = victim->head;
        victim->head = process->next;
        rt_ready_add(&stolen, process);
    }
    atomic_store_explicit(&victim->length, length - count, memory_order_relaxed);
    if (count == 0) {
        rt_process *next = atomic_load_explicit(&victim->next, memory_order_relaxed);
        if (next != NULL) {
            atomic_store_explicit(&victim->next, NULL, memory_order_relaxed);
            rt_ready_add(&stolen, next);
        }
    }
    rt_spin_give(&victim->lock, true);
    rt_process *first = stolen.head;
    if (first == NULL)
        return NULL;
    for (rt_process *process = first->next; process != NULL;) {
        rt_process *following = process->next;
        rt_runq_push(worker, process);
        process = following;
    }
    return first;
}

void rt_ready_run(rt_worker *worker, rt_ready *ready) {
    bool shared = rt_worker_shares(worker);
    for (rt_process *process = ready->head; process != NULL;) {
        rt_process *following = process->next;
        if (shared)
            rt_runq_settle(process);
        rt_runq_push(worker, process);
        process = following;
    }
    ready->head = ready->tail = NULL;
}
