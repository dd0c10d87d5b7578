// The monitor: a thread that looks at the workers every millisecond or so.
//
// Purpose: (1) wakes workers when ready processes wait longer than a wake-up costs; (2) asks processes that run long to
//   give way when others wait; (3) notices timers that have expired at busy workers, and the end of the drain; (4) gives back
//   the memory of stacks that nobody needs.
// The waiting time of ready processes is estimated by Little's law: queue length * time passed / switches made.
// Threads: takes sched.mutex for each look; reads the workers' counters without their locks. Runs no process, in no
//   section.
// Rejected: signals (EINTR everywhere); doing it in the switch itself (reading the clock costs as much as the switch).
#include "nxd/stack.h"
#include "nxd/worker.h"

#include <pthread.h>

enum {
    TICK_FIRST = 200000,    // nanoseconds; the first looks after a start come early
    TICK_MOST = 4000000,
    TICK_BUSY = 1000000,
    DELAY_WORTH = 50000,    // longer waits justify waking a worker,
    SLICE_WORTH = 1500,     // unless processes run for less than this at a time: moving one costs as much
    SLICE = 5000000,        // a process runs so long while others wait
    TIMER_LATE = 300000     // a timer that is so late needs help
};

typedef struct worker_sample {
    uint64_t switches;
    int64_t moved; // when they last changed
    int64_t cpu;   // processor time its thread had used then
} worker_sample;

static worker_sample worker_samples[RT_WORKERS_MAX];
static int64_t last_look;

// Processor time the worker's thread has used.
static int64_t cpu_time(const rt_worker *worker) {
    struct timespec used;
    clockid_t clock = atomic_load_explicit(&worker->thread->clock, memory_order_relaxed);
    if (clock == 0 || clock_gettime(clock, &used) != 0) // a new thread has not told yet
        return 0;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

// How many more workers this one could use. `made`: switches since the last look; `ran`: its process has really used
// the processor since then (or the system had taken it away: a program that switches often must not look like one that
// runs long).
static int64_t help_wanted(const rt_worker *worker, const worker_sample *seen, int64_t now, uint64_t made, bool ran) {
    int64_t waiting = atomic_load_explicit(&worker->length, memory_order_relaxed);
    if (atomic_load_explicit(&worker->next, memory_order_relaxed) != NULL)
        waiting++;
    if (waiting == 0)
        return 0;
    if (made == 0) // a long run; or the thread is blocked, if it stands still for long
        return ran || now - seen->moved >= SLICE ? waiting : 0;
    double slice = (double)(now - last_look) / (double)made;
    return slice > SLICE_WORTH && slice * (double)waiting > DELAY_WORTH ? 1 : 0;
}

static void monitor_interrupt(rt_worker *worker) {
    atomic_store_explicit(&worker->attention, 1, memory_order_relaxed);
    rt_process *process = atomic_load_explicit(&worker->current, memory_order_acquire);
    if (process != NULL)
        rt_process_interrupt(process);
}

// Whether a timer of any worker has waited long for somebody to run it. Also of resting ones: who rests while others are
// awake leaves its timers to them.
static bool timers_are_late(void) {
    int64_t now = rt_program_now();
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++) {
        const rt_timers *timers = &rt_the_sched.workers[index]->timers;
        if (atomic_load_explicit(&timers->first, memory_order_relaxed) < now - TIMER_LATE)
            return true;
    }
    return false;
}

// Looks at one awake worker. Result: how many more workers it could use.
static int64_t monitor_look_at(rt_worker *worker, int64_t now, bool late) {
    worker_sample *seen = &worker_samples[worker->index];
    uint64_t switches = atomic_load_explicit(&worker->switches, memory_order_relaxed);
    uint64_t made = switches - seen->switches;
    if (made != 0) {
        seen->switches = switches;
        seen->moved = now;
    }
    int64_t cpu = cpu_time(worker);
    if (made != 0)
        seen->cpu = cpu;
    bool ran = cpu - seen->cpu > DELAY_WORTH;
    int64_t wanted = help_wanted(worker, seen, now, made, ran);
    bool posted = atomic_load_explicit(&rt_the_sched.inbox_count, memory_order_relaxed) != 0;
    if (late || posted) {
        atomic_store_explicit(&worker->attention, 1, memory_order_relaxed);
        if (made == 0 && (ran || now - seen->moved >= SLICE))
            wanted++;
    }
    if (made == 0 && now - seen->moved >= SLICE && (wanted > 0 || late || posted)) {
        monitor_interrupt(worker);
        seen->moved = now;
    }
    return wanted;
}

// The time of the drain is over: everyone is to look up.
static void monitor_end_drain(void) {
    if (!rt_drain_is_over())
        return;
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++)
        monitor_interrupt(rt_the_sched.workers[index]);
}

// Holds sched.mutex. True: something had to be done.
static bool monitor_look_locked(int64_t now) {
    int64_t wanted = 0;
    bool late = timers_are_late();
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++)
        if (!rt_the_sched.workers[index]->resting)
            wanted += monitor_look_at(rt_the_sched.workers[index], now, late);
    monitor_end_drain();
    last_look = now;
    bool busy = wanted > 0;
    while (wanted > 0 && rt_sched_add_worker_locked(true))
        wanted--;
    return busy;
}

static void *monitor_main(void *argument) {
    rt_sched *sched = &rt_the_sched;
    int64_t tick = TICK_FIRST;
    (void)argument;
    last_look = rt_now();
    for (;;) {
        rt_futex_wait(&sched->monitor_futex, 0, rt_now() + tick);
        bool surplus = rt_stack_clean_some();
        rt_mutex_lock(&sched->mutex);
        if (sched->awake == 0 && surplus) {
            tick = TICK_FIRST;
        } else if (sched->awake == 0) {
            sched->monitor_sleeps = true;
            atomic_store(&sched->monitor_futex, 0);
            rt_mutex_unlock(&sched->mutex);
            while (atomic_load(&sched->monitor_futex) == 0)
                rt_futex_wait(&sched->monitor_futex, 0, RT_NEVER);
            atomic_store(&sched->monitor_futex, 0);
            last_look = rt_now();
            tick = TICK_BUSY;
            continue;
        } else {
            tick = monitor_look_locked(rt_now()) ? TICK_BUSY : rt_min(tick + tick / 4, TICK_MOST);
        }
        rt_mutex_unlock(&sched->mutex);
    }
    return NULL;
}

void rt_monitor_kick_locked(void) {
    if (!rt_the_sched.monitor_sleeps)
        return;
    rt_the_sched.monitor_sleeps = false;
    atomic_store(&rt_the_sched.monitor_futex, 1);
    rt_futex_wake(&rt_the_sched.monitor_futex, 1);
}

void rt_monitor_start(void) {
    pthread_attr_t attributes;
    pthread_t id;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&id, &attributes, monitor_main, NULL) != 0)
        rt_the_sched.worker_max = 1; // without a monitor nothing is woken, but everything runs
    pthread_attr_destroy(&attributes);
}
