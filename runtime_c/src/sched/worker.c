// Workers: switching between processes, looking for work, resting. The overview is in nxd/worker.h.
//
// Invariants: `awake` counts the workers that do not rest. The SHARED bit of rt_the_sched.mode is set while awake > 1
//   (always, where there is no membarrier). A worker's queue is empty while it rests. A section's mode never lacks the
//   SHARED bit while another worker is awake, but for the moment in which become_shared_locked waits for that very
//   section to end.
// Threads: sched.mutex guards waking and resting; it is never taken inside a section, because become_shared_locked
//   waits for sections while it holds it.
#ifndef _GNU_SOURCE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity
#endif
#endif
#include "nxd/worker.h"

#include "nxd/stack.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

enum {
    WATCH_NANOSECONDS = 20000, // how long a worker without work looks at the others
    STALE_NANOSECONDS = 4000,  // a queue that has not moved for so long is stolen from
    THREAD_STACK = 256 << 10
};

rt_sched rt_the_sched = {.drain_deadline = RT_NEVER};
static _Thread_local rt_thread *this_thread;

// ---- who runs here -------------------------------------------------------------------------------------------------

// Not inlined: a process may go on on another thread, so the address of thread-local data must not be kept.
static RT_NOINLINE rt_thread *thread_current(void) {
    return this_thread;
}

rt_process *rt_process_current(void) {
    rt_thread *thread = thread_current();
    if (thread == NULL)
        return NULL;
    if (thread->detached != NULL)
        return thread->detached;
    return thread->worker == NULL ? NULL : atomic_load_explicit(&thread->worker->current, memory_order_relaxed);
}

RT_NOINLINE rt_cycle_buffer *rt_hook_cycle_buffer(void) {
    static _Thread_local rt_cycle_buffer stray; // of a thread that is not the scheduler's
    rt_process *process = rt_process_current();
    if (process != NULL)
        return &process->cycles;
    rt_thread *thread = thread_current();
    return thread == NULL ? &stray : &thread->cycles;
}

uint64_t rt_worker_random(rt_worker *worker) {
    uint64_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    worker->random = x;
    return x >> 16;
}

// ---- switching -----------------------------------------------------------------------------------------------------

RT_NOINLINE void rt_worker_arrive_slow(rt_worker *worker) {
    rt_process *previous = worker->previous;
    switch ((rt_after)worker->after) {
    case RT_AFTER_YIELD:
        atomic_store_explicit(&previous->running, 0, memory_order_release);
        rt_runq_push(worker, previous);
        break;
    case RT_AFTER_END:
        atomic_store_explicit(&previous->running, 0, memory_order_release);
        rt_process_release(worker, previous);
        break;
    case RT_AFTER_PARK:
    case RT_AFTER_NATIVE:
        break;
    }
}

static inline void worker_set_running(rt_worker *worker, rt_process *process) {
    if (RT_UNLIKELY(process->context.saved == NULL))
        rt_process_prepare(worker, process);
    process->worker = worker;
    atomic_store_explicit(&process->running, 1, memory_order_relaxed);
    atomic_store_explicit(&worker->current, process, memory_order_release); // the monitor writes through it
}

RT_NOINLINE rt_context *rt_worker_pick(rt_process *process, rt_after after) {
    rt_worker *worker = process->worker;
    rt_process *to = rt_runq_take(worker);
    worker->previous = process;
    worker->after = (uint8_t)after;
    if (RT_UNLIKELY(to == NULL)) {
        atomic_store_explicit(&worker->current, NULL, memory_order_relaxed);
        return &worker->thread->context;
    }
    worker_set_running(worker, to);
    return &to->context;
}

// Moves what was made ready from outside to the worker's queue.
static void worker_empty_inbox(rt_worker *worker) {
    rt_ready posted = {NULL, NULL};
    rt_spin_take(&rt_the_sched.inbox_lock, RT_RANK_INBOX, true);
    posted.head = rt_the_sched.inbox_head;
    rt_the_sched.inbox_head = rt_the_sched.inbox_tail = NULL;
    atomic_store_explicit(&rt_the_sched.inbox_count, 0, memory_order_relaxed);
    rt_spin_give(&rt_the_sched.inbox_lock, true);
    rt_ready_run(worker, &posted);
}

// The drain's time is over: MAIN goes on.
static void worker_end_drain(rt_worker *worker) {
    bool shared = rt_worker_shares(worker);
    rt_process *process = rt_the_sched.main;
    uint64_t wait = atomic_load_explicit(&process->wait, memory_order_acquire);
    atomic_store_explicit(&rt_the_sched.drain_deadline, RT_NEVER, memory_order_relaxed);
    if (rt_process_is_waiting(wait) && rt_process_claim(process, wait, RT_WAKE_TIMEOUT, shared))
        rt_runq_wake(worker, process);
}

static int32_t worker_count(void) {
    return atomic_load_explicit(&rt_the_sched.worker_count, memory_order_acquire);
}

// Runs the expired timers of all workers, as their owners may be busy, or rest and leave them to those who are awake.
static void worker_run_timers(rt_worker *worker) {
    int64_t now = 0;
    int32_t count = worker_count();
    for (int32_t index = 0; index < count; index++) {
        rt_timers *timers = &rt_the_sched.workers[index]->timers;
        int64_t first = atomic_load_explicit(&timers->first, memory_order_relaxed);
        if (first == RT_NEVER)
            continue;
        if (now == 0)
            now = rt_program_now();
        if (first <= now)
            rt_timer_run(worker, timers, now);
    }
}

void rt_worker_tick(rt_worker *worker) {
    atomic_store_explicit(&worker->attention, 0, memory_order_relaxed);
    if (atomic_load_explicit(&rt_the_sched.inbox_count, memory_order_relaxed) != 0)
        worker_empty_inbox(worker);
    worker_run_timers(worker);
    if (rt_drain_is_over())
        worker_end_drain(worker);
}

// ---- waking and resting --------------------------------------------------------------------------------------------

// From now on sections take locks. Waits for those that do not.
static void become_shared_locked(void) {
    uint32_t mode = atomic_load_explicit(&rt_the_sched.mode, memory_order_relaxed);
    if ((mode & RT_MODE_SHARED) != 0)
        return;
    atomic_store_explicit(&rt_the_sched.mode, mode | RT_MODE_SHARED, memory_order_seq_cst);
#ifdef __linux__
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#endif
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++) {
        rt_worker *worker = rt_the_sched.workers[index];
        for (int spins = 0; atomic_load_explicit(&worker->section, memory_order_acquire) == RT_SECTION_ALONE; spins++) {
            if (spins > 100)
                sched_yield();
            else
                rt_pause();
        }
    }
}

static void worker_rise_locked(rt_worker *worker) {
    worker->resting = false;
    if (++rt_the_sched.awake > 1)
        become_shared_locked();
    rt_monitor_kick_locked();
}

static void worker_rest_locked(rt_worker *worker) {
    worker->resting = true;
    atomic_store_explicit(&worker->futex, 0, memory_order_relaxed);
    if (--rt_the_sched.awake <= 1 && rt_the_sched.can_alternate)
        atomic_fetch_and_explicit(&rt_the_sched.mode, ~(uint32_t)RT_MODE_SHARED, memory_order_release);
}

static void *thread_main(void *argument);

// A thread that plays `worker`'s role, or waits as a spare for one (NULL).
static bool thread_start(rt_worker *worker) {
    rt_thread *thread = calloc(1, sizeof *thread);
    if (thread == NULL)
        return false;
    thread->worker = worker;
    if (worker != NULL)
        worker->thread = thread;
    pthread_attr_t attributes;
    pthread_t id;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#if !defined(RT_ASAN) && !defined(RT_TSAN)
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
#endif
    bool started = pthread_create(&id, &attributes, thread_main, thread) == 0;
    pthread_attr_destroy(&attributes);
    if (!started)
        free(thread);
    return started;
}

static rt_worker *worker_new(int32_t index) {
    rt_worker *worker = aligned_alloc(64, (sizeof *worker + 63) / 64 * 64);
    if (worker == NULL)
        return NULL;
    memset(worker, 0, sizeof *worker);
    worker->index = index;
    worker->next_budget = RT_NEXT_BUDGET;
    worker->timers.first = RT_NEVER;
    worker->random = (rt_the_sched.seed + 1) * 0x9E3779B97F4A7C15u + (uint64_t)index * 0xD1B54A32D192ED03u;
    return worker;
}

static bool add_new_worker_locked(bool hungry) {
    rt_worker *worker = worker_new(rt_the_sched.worker_count);
    if (worker == NULL)
        return false;
    worker->hungry = hungry;
    worker_rise_locked(worker); // before the thread runs
    rt_the_sched.workers[rt_the_sched.worker_count] = worker;
    if (!thread_start(worker)) {
        worker_rest_locked(worker);
        free(worker);
        rt_the_sched.worker_max = rt_the_sched.worker_count; // threads are out: make do
        return false;
    }
    rt_the_sched.worker_count++;
    return true;
}

bool rt_sched_add_worker_locked(bool hungry) {
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++) {
        rt_worker *worker = rt_the_sched.workers[index];
        if (!worker->resting)
            continue;
        worker->hungry = hungry;
        worker_rise_locked(worker);
        atomic_store_explicit(&worker->futex, 1, memory_order_release);
        rt_futex_wake(&worker->futex, 1);
        return true;
    }
    return rt_the_sched.worker_count < rt_the_sched.worker_max && add_new_worker_locked(hungry);
}

static void sched_post_locked(rt_process *process) {
    rt_sched *sched = &rt_the_sched;
    process->next = NULL;
    rt_spin_take(&sched->inbox_lock, RT_RANK_INBOX, true);
    if (sched->inbox_head == NULL)
        sched->inbox_head = process;
    else
        sched->inbox_tail->next = process;
    sched->inbox_tail = process;
    atomic_fetch_add_explicit(&sched->inbox_count, 1, memory_order_relaxed);
    rt_spin_give(&sched->inbox_lock, true);
    if (sched->awake == 0)
        rt_sched_add_worker_locked(false);
    else
        for (int32_t index = 0; index < sched->worker_count; index++)
            atomic_store_explicit(&sched->workers[index]->attention, 1, memory_order_relaxed);
}

// The earliest time at which something happens by itself. All workers rest.
static int64_t first_deadline_locked(void) {
    int64_t first = RT_NEVER;
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++)
        first = rt_min(first, rt_timer_first_live(&rt_the_sched.workers[index]->timers));
    return first;
}

// Rests until there is work. In no section, with an empty queue.
static void worker_rest(rt_worker *worker) {
    rt_io_flush_idle();
    rt_mutex_lock(&rt_the_sched.mutex);
    int64_t deadline = RT_NEVER;
    bool stay_up = atomic_load_explicit(&rt_the_sched.inbox_count, memory_order_relaxed) != 0;
    if (!stay_up) {
        worker_rest_locked(worker);
        if (rt_the_sched.awake == 0) {
            deadline = first_deadline_locked();
            if (deadline == RT_NEVER && rt_the_sched.blocking == 0)
                stay_up = rt_deadlock_resolve_locked(worker);
            deadline = rt_min(deadline, atomic_load_explicit(&rt_the_sched.drain_deadline, memory_order_relaxed));
            if (deadline != RT_NEVER && rt_the_sched.blocking == 0)
                rt_clock_skip_to(deadline);
            stay_up = stay_up || (deadline != RT_NEVER && deadline <= rt_program_now());
        }
        if (stay_up)
            worker_rise_locked(worker);
    }
    rt_mutex_unlock(&rt_the_sched.mutex);
    if (stay_up)
        return;
    // simulated time stands still while a blocking call lasts; its end wakes a worker
    rt_futex_wait(&worker->futex, 0, rt_clock_is_simulated() ? RT_NEVER : deadline);
    rt_mutex_lock(&rt_the_sched.mutex);
    if (worker->resting) // nobody woke it: the deadline has come
        worker_rise_locked(worker);
    rt_mutex_unlock(&rt_the_sched.mutex);
}

// ---- looking for work ----------------------------------------------------------------------------------------------

// Steals from the longest queue, whatever its state.
static rt_process *worker_steal_any(rt_worker *worker) {
    rt_worker *best = NULL;
    int64_t most = -1;
    int32_t count = worker_count();
    for (int32_t index = 0; index < count; index++) {
        rt_worker *victim = rt_the_sched.workers[index];
        if (victim == worker || rt_runq_is_empty(victim))
            continue;
        int64_t length = atomic_load_explicit(&victim->length, memory_order_relaxed);
        if (length > most) {
            most = length;
            best = victim;
        }
    }
    return best == NULL ? NULL : rt_runq_steal(worker, best);
}

// In a section.
static rt_process *worker_find(rt_worker *worker) {
    rt_worker_tick(worker);
    worker_run_timers(worker);
    rt_process *process = rt_runq_take(worker);
    if (process == NULL && worker->hungry && rt_worker_shares(worker))
        process = worker_steal_any(worker);
    worker->hungry = false;
    return process;
}

// Looks at the other workers for a while: a queue that does not move is stolen from, one that moves is better left
// alone (its processes wait for less time than their move to this processor would cost). True: there may be something
// now.
static bool worker_watch_others(rt_worker *worker) {
    uint64_t seen[RT_WORKERS_MAX];
    int64_t since[RT_WORKERS_MAX];
    int32_t count = worker_count();
    if ((atomic_load_explicit(&rt_the_sched.mode, memory_order_relaxed) & RT_MODE_SHARED) == 0)
        return false;
    int64_t start = rt_now();
    for (int32_t index = 0; index < count; index++) {
        seen[index] = 0;
        since[index] = start;
    }
    for (int64_t now = start; now < start + WATCH_NANOSECONDS; now = rt_now()) {
        if (atomic_load_explicit(&rt_the_sched.inbox_count, memory_order_relaxed) != 0)
            return true;
        for (int32_t index = 0; index < count; index++) {
            rt_worker *victim = rt_the_sched.workers[index];
            uint64_t switches = atomic_load_explicit(&victim->switches, memory_order_relaxed);
            if (victim == worker || rt_runq_is_empty(victim) || switches != seen[index]) {
                seen[index] = switches;
                since[index] = now;
            } else if (now - since[index] > STALE_NANOSECONDS) {
                worker->hungry = true;
                return true;
            }
        }
        for (int pause = 0; pause < 20; pause++)
            rt_pause();
    }
    return false;
}

static void become_spare(rt_thread *thread);

static void thread_loop(rt_thread *thread) {
    for (;;) {
        rt_worker *worker = thread->worker;
        rt_section_begin_worker(worker);
        rt_process *to = worker_find(worker);
        if (to == NULL) {
            rt_section_end(worker);
            if (!worker_watch_others(worker))
                worker_rest(worker);
            continue;
        }
        worker_set_running(worker, to);
        worker->previous = NULL;
        worker->after = RT_AFTER_NATIVE;
        rt_context_swap(&thread->context, &to->context);
        if (RT_UNLIKELY(thread->returned != NULL)) {
            become_spare(thread);
            continue;
        }
        rt_worker_arrive(worker);
        rt_section_end(worker);
    }
}

// The thread is this one.
static void thread_adopt(rt_thread *thread) {
    this_thread = thread;
    rt_context_adopt(&thread->context);
#ifdef __linux__
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock) == 0)
        atomic_store_explicit(&thread->clock, clock, memory_order_relaxed);
#endif
}

static void *thread_main(void *argument) {
    rt_thread *thread = argument;
    thread_adopt(thread);
    if (thread->worker == NULL)
        become_spare(thread);
    thread_loop(thread);
    return NULL;
}

// ---- blocking calls ------------------------------------------------------------------------------------------------

// The thread has no role until rt_thread_detach gives it one. Posts the process whose call it ran.
static void become_spare(rt_thread *thread) {
    rt_process *process = thread->returned;
    rt_mutex_lock(&rt_the_sched.mutex);
    if (process != NULL) {
        thread->returned = NULL;
        thread->detached = NULL;
        atomic_store_explicit(&process->running, 0, memory_order_release);
        rt_the_sched.blocking--;
        sched_post_locked(process);
    }
    thread->next_spare = rt_the_sched.spare;
    rt_the_sched.spare = thread;
    atomic_store_explicit(&thread->futex, 0, memory_order_relaxed);
    rt_mutex_unlock(&rt_the_sched.mutex);
    while (atomic_load_explicit(&thread->futex, memory_order_acquire) == 0)
        rt_futex_wait(&thread->futex, 0, RT_NEVER);
}

// In no section. The worker stays awake; another thread goes on with its role.
void rt_hook_blocking_begin(nxd_process *self) {
    rt_process *process = rt_process_of(self);
    rt_sched *sched = &rt_the_sched;
    if (process == NULL || !sched->started)
        return;
    rt_worker *worker = process->worker;
    rt_thread *thread = worker->thread;
    rt_mutex_lock(&sched->mutex);
    rt_thread *spare = sched->spare;
    process->waits = RT_WAITS_INPUT;
    thread->detached = process;
    thread->worker = NULL;
    atomic_store_explicit(&worker->current, NULL, memory_order_relaxed);
    if (spare != NULL) {
        sched->spare = spare->next_spare;
        spare->worker = worker;
        worker->thread = spare;
        atomic_store_explicit(&spare->futex, 1, memory_order_release);
        rt_futex_wake(&spare->futex, 1);
        process->thread = thread;
    } else if (thread_start(worker)) {
        process->thread = thread;
    } else { // no more threads: the call blocks the worker after all
        worker->thread = thread;
        thread->worker = worker;
        thread->detached = NULL;
        atomic_store_explicit(&worker->current, process, memory_order_relaxed);
    }
    if (process->thread != NULL)
        sched->blocking++;
    rt_mutex_unlock(&sched->mutex);
}

void rt_hook_blocking_end(nxd_process *self) {
    rt_process *process = rt_process_of(self);
    if (process == NULL)
        return;
    process->waits = RT_WAITS_NOT;
    rt_thread *thread = process->thread;
    if (thread == NULL)
        return;
    process->thread = NULL;
    thread->returned = process;
    rt_context_swap(&process->context, &thread->context); // goes on in thread_loop
    rt_worker_arrive(process->worker);
    rt_process_section_end(process);
}

void rt_sched_post(rt_process *process) {
    rt_mutex_lock(&rt_the_sched.mutex);
    sched_post_locked(process);
    rt_mutex_unlock(&rt_the_sched.mutex);
}

// ---- start ---------------------------------------------------------------------------------------------------------

static int32_t worker_limit(void) {
    const char *text = getenv("NXD_WORKERS");
    long wanted = text == NULL ? 0 : strtol(text, NULL, 10);
    if (wanted <= 0) {
        wanted = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) == 0)
            wanted = CPU_COUNT(&set);
#endif
    }
    return (int32_t)rt_max(1, rt_min(wanted, RT_WORKERS_MAX));
}

static bool membarrier_works(void) {
#if defined(__linux__) && !defined(RT_TSAN)
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
    return false;
#endif
}

RT_COLD void rt_sched_start(void) {
    rt_sched *sched = &rt_the_sched;
    sched->worker_max = worker_limit();
    sched->can_alternate = membarrier_works(); // registered while there is one thread: later it takes milliseconds
    if (!sched->can_alternate && sched->worker_max > 1)
        atomic_fetch_or(&sched->mode, RT_MODE_SHARED);
    sched->started = true;
    rt_monitor_start();
}

static void main_process_entry(void *argument) {
    rt_process *process = argument;
    rt_context_entered();
    rt_worker_arrive(process->worker);
    rt_process_section_end(process);
    rt_drain(process, nxd_program_main.start(&process->head, NULL));
}

_Noreturn void rt_sched_run(void) {
    static rt_thread thread;
    rt_sched *sched = &rt_the_sched;
    const char *seed = getenv("NXD_SCHED_SEED");
    if (seed != NULL) {
        sched->seeded = true;
        sched->seed = strtoull(seed, NULL, 10);
        atomic_store(&sched->mode, RT_MODE_SEEDED);
    }
    rt_worker *worker = worker_new(0);
    if (worker == NULL)
        rt_fatal_memory();
    sched->workers[0] = worker;
    sched->worker_count = 1;
    sched->awake = 1;
    thread.worker = worker;
    worker->thread = &thread;
    thread_adopt(&thread);

    static rt_process process;
    rt_stack stack = rt_stack_main();
    sched->main = &process;
    process.stack = stack.low;
    process.stack_hard = process.stack_soft = (uintptr_t)stack.low + RT_STACK_HEADROOM;
    process.head.stack_limit = process.stack_hard;
    rt_context_make(&process.context, stack.low, stack.top, main_process_entry, &process);
    rt_runq_push(worker, &process);
    thread_loop(&thread);
    rt_fatal("the scheduler ended");
}
