// Timers: a four-way heap per worker. See nxd/timer.h.
//
// Invariants: entries[i] is not later than its children entries[4 i + 1 ... 4 i + 4].
// Threads: see the header. Expired processes are claimed under the lock and made ready after it.
#include "nxd/timer.h"

#include "nxd/handle.h"
#include "nxd/worker.h"

#include <stdlib.h>

enum {
    TIMER_WAYS = 4,
#ifdef NXD_TESTING
    TIMER_BATCH = 2,
    TIMER_STALE_LEAST = 1,
#else
    TIMER_BATCH = 256, // expired at a time, so that the lock is not held long
    TIMER_STALE_LEAST = 64,
#endif
    TIMER_WATCH_BIT = 1
};

static bool timer_is_watch(const rt_timer *timer) {
    return (timer->target & TIMER_WATCH_BIT) != 0;
}

static rt_watch *timer_watch(const rt_timer *timer) {
    return (rt_watch *)(timer->target & ~(uintptr_t)TIMER_WATCH_BIT);
}

static _Atomic uint64_t *timer_round(const rt_timer *timer) {
    return timer_is_watch(timer) ? &timer_watch(timer)->round : &((rt_process *)timer->target)->wait;
}

static bool timer_is_live(const rt_timer *timer) {
    return atomic_load_explicit(timer_round(timer), memory_order_acquire) == timer->round; // a stale watch is freed
}

// Puts `timer` at `index` or above.
static void timer_sift_up(rt_timers *timers, int64_t index, rt_timer timer) {
    while (index > 0) {
        int64_t parent = (index - 1) / TIMER_WAYS;
        if (timers->entries[parent].deadline <= timer.deadline)
            break;
        timers->entries[index] = timers->entries[parent];
        index = parent;
    }
    timers->entries[index] = timer;
}

// Puts `timer` at `index` or below.
static void timer_sift_down(rt_timers *timers, int64_t index, rt_timer timer) {
    for (;;) {
        int64_t child = TIMER_WAYS * index + 1;
        if (child >= timers->count)
            break;
        int64_t end = rt_min(child + TIMER_WAYS, timers->count);
        int64_t least = child;
        for (child++; child < end; child++)
            if (timers->entries[child].deadline < timers->entries[least].deadline)
                least = child;
        if (timers->entries[least].deadline >= timer.deadline)
            break;
        timers->entries[index] = timers->entries[least];
        index = least;
    }
    timers->entries[index] = timer;
}

static void timer_set_first(rt_timers *timers) {
    int64_t first = timers->count == 0 ? RT_NEVER : timers->entries[0].deadline;
    atomic_store_explicit(&timers->first, first, memory_order_relaxed);
}

static void timer_pop(rt_timers *timers) {
    rt_timer last = timers->entries[--timers->count];
    if (timers->count > 0)
        timer_sift_down(timers, 0, last);
}

static void timer_drop_stale(rt_timer *timer) {
    if (timer_is_watch(timer))
        rt_watch_free(timer_watch(timer));
}

// Takes out all stale entries and makes a heap of the others.
static void timer_purge(rt_timers *timers) {
    int64_t kept = 0;
    for (int64_t index = 0; index < timers->count; index++) {
        if (timer_is_live(&timers->entries[index]))
            timers->entries[kept++] = timers->entries[index];
        else
            timer_drop_stale(&timers->entries[index]);
    }
    timers->count = kept;
    for (int64_t index = kept / TIMER_WAYS; index >= 0 && kept > 0; index--)
        timer_sift_down(timers, index, timers->entries[index]);
    atomic_store_explicit(&timers->stale, 0, memory_order_relaxed);
    timer_set_first(timers);
}

static void timer_add(rt_worker *worker, rt_timer timer) {
    rt_timers *timers = &worker->timers;
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&timers->lock, RT_RANK_TIMER, shared);
    int64_t stale = atomic_load_explicit(&timers->stale, memory_order_relaxed);
    if (RT_UNLIKELY(stale > TIMER_STALE_LEAST && stale > timers->count / 2))
        timer_purge(timers);
    if (RT_UNLIKELY(timers->count == timers->capacity)) {
        timers->capacity = timers->capacity == 0 ? 64 : 2 * timers->capacity;
        timers->entries = realloc(timers->entries, (size_t)timers->capacity * sizeof *timers->entries);
        if (timers->entries == NULL)
            rt_fatal_memory();
    }
    timer_sift_up(timers, timers->count++, timer);
    timer_set_first(timers);
    rt_spin_give(&timers->lock, shared);
}

void rt_timer_add(rt_worker *worker, int64_t deadline, rt_process *process, uint64_t round) {
    timer_add(worker, (rt_timer){.deadline = deadline, .round = round, .target = (uintptr_t)process});
}

void rt_timer_add_watch(rt_worker *worker, int64_t deadline, rt_watch *watch) {
    uint64_t round = atomic_load_explicit(&watch->round, memory_order_relaxed);
    timer_add(worker, (rt_timer){.deadline = deadline, .round = round, .target = (uintptr_t)watch | TIMER_WATCH_BIT});
}

void rt_timer_stale(rt_timers *timers) {
    atomic_fetch_add_explicit(&timers->stale, 1, memory_order_relaxed);
}

// Takes what has expired, at most TIMER_BATCH: claims the processes, links the watchdogs. Result: whether there may be
// more.
static bool timer_expire_batch(rt_worker *worker, rt_timers *timers, int64_t now, rt_ready *ready, rt_watch **fired) {
    bool shared = rt_worker_shares(worker);
    int taken = 0;
    rt_spin_take(&timers->lock, RT_RANK_TIMER, shared);
    while (taken < TIMER_BATCH && timers->count > 0 && timers->entries[0].deadline <= now) {
        rt_timer timer = timers->entries[0];
        timer_pop(timers);
        taken++;
        if (timer_is_watch(&timer)) {
            rt_watch *watch = timer_watch(&timer);
            watch->next = *fired;
            *fired = watch;
        } else if (rt_process_claim((rt_process *)timer.target, timer.round, RT_WAKE_TIMEOUT, shared)) {
            rt_ready_add(ready, (rt_process *)timer.target);
        }
    }
    timer_set_first(timers);
    rt_spin_give(&timers->lock, shared);
    return taken == TIMER_BATCH;
}

bool rt_timer_run(rt_worker *worker, rt_timers *timers, int64_t now) {
    bool any = false;
    for (bool more = true; more;) {
        rt_ready ready = {NULL, NULL};
        rt_watch *fired = NULL;
        if (atomic_load_explicit(&timers->first, memory_order_relaxed) > now)
            return any;
        more = timer_expire_batch(worker, timers, now, &ready, &fired);
        any = true;
        rt_ready_run(worker, &ready);
        while (fired != NULL) {
            rt_watch *watch = fired;
            fired = watch->next;
            rt_watch_fire(worker, watch);
        }
    }
    return any;
}

int64_t rt_timer_first_live(rt_timers *timers) {
    while (timers->count > 0 && !timer_is_live(&timers->entries[0])) {
        timer_drop_stale(&timers->entries[0]);
        timer_pop(timers);
    }
    timer_set_first(timers);
    return timers->count == 0 ? RT_NEVER : timers->entries[0].deadline;
}
