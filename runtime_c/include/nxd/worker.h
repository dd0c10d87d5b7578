// Workers: what runs processes.
//
// Vocabulary: a *worker* is a run queue with its timers and its cache of stacks; a *thread* plays the role of one
//   worker at a time; a process *parks* when it waits, and is made *ready*. A worker is *awake* while its thread runs
//   processes or looks for some, else it *rests* (sleeps on its futex).
//
// Sections. Everything the scheduler does on behalf of a process happens between rt_section_begin and rt_section_end; a
//   context switch happens inside a section, and the section passes on to what runs next. While one worker only is
//   awake (rt_the_sched.mode has no SHARED bit), sections take no locks and use no atomic read-modify-write: nobody
//   else is there. Before a second worker is woken, the bit is set, a process-wide barrier (membarrier) makes every
//   thread see it, and the sections that were running then are waited for.
//   Measured, alone against shared: chan_throughput 10 and 27 ns a message, pingpong 85 and 120 ns a round.
//
// Waking. A process that becomes ready goes to the `next` slot of the worker that woke it: a message and its answer do
//   not cross threads. Readying never wakes another worker. The monitor does, when by Little's law (queue length * time
//   / switches) the ready processes wait longer than waking costs; so fine-grained programs stay on one worker, in the
//   cheap mode, and coarse-grained ones spread within a millisecond.
//
// Resting. A worker that finds nothing looks at the others for a while, then rests. The last one to rest is sure that
//   nothing is ready: queues are only filled by awake workers (and the inbox, under sched.mutex). It sleeps until the
//   first timer; without one, everything waits for ever (deadlock.c).
//
// Rejected: waking at every spawn (a futex call costs more than most processes run); Chase-Lev deques (with sections
//   the queue is already free in the common mode, and FIFO order with half-stealing needs a queue, not a stack); a ring
//   with an overflow list (a million ready processes live in the overflow list then).
#ifndef NXD_WORKER_H
#define NXD_WORKER_H

#include "nxd/futex.h"
#include "nxd/lockrank.h"
#include "nxd/process.h"
#include "nxd/timer.h"

#include <time.h>

enum {
    RT_WORKERS_MAX = 256,
    RT_TICK_SWITCHES = 64, // a worker looks at the clock and the inbox every so many switches
    RT_NEXT_BUDGET = 64    // so many times `next` goes before the queue
};

typedef enum rt_after { // what became of the process that was switched away from
    RT_AFTER_PARK = 0,
    RT_AFTER_NATIVE, // there was none: the worker's own loop
    RT_AFTER_YIELD,  // goes to the end of the queue
    RT_AFTER_END     // its stack can be reused
} rt_after;

typedef enum rt_section {
    RT_SECTION_NONE = 0,
    RT_SECTION_ALONE = 1, // without locks (or has not looked at the mode yet)
    RT_SECTION_SHARED = 2
} rt_section;

enum { // rt_worker.mode
    RT_MODE_SHARED = 1, // other workers may be awake
    RT_MODE_SEEDED = 2  // NXD_SCHED_SEED: choices are drawn
};

struct rt_thread {
    rt_context context;   // its own stack, while a process runs on it
    rt_worker *worker;    // NULL: spare, or in a blocking call
    rt_process *detached; // the process in that call
    rt_process *returned; // the call is over: to be posted
    rt_thread *next_spare;
    rt_cycle_buffer cycles; // for what is dropped outside of any process
    _Atomic uint32_t futex; // a spare thread sleeps on it
    _Atomic clockid_t clock; // of the processor time it has used; 0: not known yet
};

struct rt_worker {
    // Touched at every switch, by the owner.
    uint32_t mode; // fixed for the length of a section
    uint8_t after;
    int32_t next_budget;
    _Atomic uint32_t attention; // somebody wants a tick
    _Atomic uint32_t section;   // rt_section
    _Atomic uint64_t switches;
    _Atomic(rt_process *) current;
    rt_process *previous;
    // The run queue. Guarded by lock; length and next may be read by anybody.
    rt_process *head;
    rt_process *tail;
    _Atomic int64_t length;
    _Atomic(rt_process *) next;
    rt_spin lock;
    // Counts; the sums over all workers are exact while all rest.
    _Atomic int64_t started;
    _Atomic int64_t ended;
    rt_thread *thread; // that plays its role
    rt_timers timers;
    // Stacks and structures ready for reuse, the hottest last and first. Owner only.
    uintptr_t *stacks; // addresses, the lowest bit set for those that were used deeply
    int64_t stack_count;
    int64_t stack_deep; // how many of them are
    rt_process *free_first;
    int64_t free_count;
    uint64_t random;
    int32_t index;
    bool hungry; // woken to steal: take what is there without watching first
    // Resting. Guarded by sched.mutex, but for the futex word.
    bool resting;
    _Atomic uint32_t futex; // 1: get up
} __attribute__((aligned(64)));

typedef struct rt_sched {
    // Read by everybody, rarely written.
    _Atomic uint32_t mode; // RT_MODE bits, copied by every section
    _Atomic uint32_t cancelling; // the program ends: every process is cancelled
    bool seeded;
    bool can_alternate; // membarrier works: SHARED may be taken back
    bool started;       // a process besides MAIN has been spawned
    int32_t worker_max;
    uint64_t seed;
    _Atomic int64_t drain_deadline; // of the program's time; RT_NEVER: not draining
    _Atomic int64_t drain_limit;    // of the machine's time, should the program's stand still
    rt_process *main;

    rt_mutex mutex __attribute__((aligned(64)));
    // Guarded by mutex.
    _Atomic int32_t worker_count; // entries of workers in use; grows only, read by anybody
    int32_t awake;
    int32_t blocking; // processes in blocking calls
    rt_thread *spare;
    bool monitor_sleeps;
    _Atomic uint32_t monitor_futex;
    rt_worker *workers[RT_WORKERS_MAX];

    rt_spin inbox_lock __attribute__((aligned(64))); // processes made ready from outside
    rt_process *inbox_head;
    rt_process *inbox_tail;
    _Atomic uint32_t inbox_count;
} rt_sched;

extern rt_sched rt_the_sched;

// ---- sections ----

static inline bool rt_worker_shares(const rt_worker *worker) {
#ifdef RT_TSAN
    (void)worker;
    return true; // TSan knows nothing of membarrier
#else
    return (worker->mode & RT_MODE_SHARED) != 0;
#endif
}

// Plain stores of constants: they do not wait for each other, as counting would.
static inline void rt_section_begin_worker(rt_worker *worker) {
    rt_assert(atomic_load_explicit(&worker->section, memory_order_relaxed) == RT_SECTION_NONE);
    atomic_store_explicit(&worker->section, RT_SECTION_ALONE, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); // the processor may reorder: membarrier settles it
    uint32_t mode = atomic_load_explicit(&rt_the_sched.mode, memory_order_acquire);
    worker->mode = mode;
    if (RT_UNLIKELY((mode & RT_MODE_SHARED) != 0))
        atomic_store_explicit(&worker->section, RT_SECTION_SHARED, memory_order_relaxed);
}

static inline rt_worker *rt_section_begin(rt_process *process) {
    rt_worker *worker = process->worker;
    rt_section_begin_worker(worker);
    return worker;
}

static inline void rt_section_end(rt_worker *worker) {
    rt_assert(atomic_load_explicit(&worker->section, memory_order_relaxed) != RT_SECTION_NONE);
    rt_lockrank_none();
    atomic_store_explicit(&worker->section, RT_SECTION_NONE, memory_order_release);
}

static inline void rt_process_section_end(rt_process *process) {
    rt_section_end(process->worker); // may have changed while it was parked
}

// ---- run queues (runq.c) ----

void rt_runq_push_slow(rt_worker *worker, rt_process *process);
void rt_runq_wake_slow(rt_worker *worker, rt_process *process);
rt_process *rt_runq_take_slow(rt_worker *worker);
// Takes from another worker: half of its queue, or its `next`. Result: the first to run, the others are in our queue.
rt_process *rt_runq_steal(rt_worker *worker, rt_worker *victim);
// Waits until the process's context has been saved.
void rt_runq_settle(const rt_process *process);

static inline bool rt_runq_is_empty(const rt_worker *worker) {
    return atomic_load_explicit(&worker->length, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&worker->next, memory_order_relaxed) == NULL;
}

static inline void rt_runq_push_unchecked(rt_worker *worker, rt_process *process) {
    process->next = NULL;
    if (worker->head == NULL)
        worker->head = process;
    else
        worker->tail->next = process;
    worker->tail = process;
    int64_t length = atomic_load_explicit(&worker->length, memory_order_relaxed);
    atomic_store_explicit(&worker->length, length + 1, memory_order_relaxed);
}

// To the end of the queue. In a section; the process's context has been saved.
static inline void rt_runq_push(rt_worker *worker, rt_process *process) {
    if (RT_UNLIKELY(worker->mode != 0))
        rt_runq_push_slow(worker, process);
    else
        rt_runq_push_unchecked(worker, process);
}

static inline void rt_runq_wake_unchecked(rt_worker *worker, rt_process *process) {
    // The first to be woken keeps the slot: processes run in the order in which they were woken. The other way round a
    // pipeline serves its start before its end (prime_pipeline: twice as slow).
    if (atomic_load_explicit(&worker->next, memory_order_relaxed) == NULL)
        atomic_store_explicit(&worker->next, process, memory_order_relaxed);
    else
        rt_runq_push_unchecked(worker, process);
}

// Makes a claimed process ready, to be run next. In a section, no lock held.
static inline void rt_runq_wake(rt_worker *worker, rt_process *process) {
    __builtin_prefetch(process->context.saved);
    __builtin_prefetch((char *)process->context.saved + 64);
    if (RT_UNLIKELY(worker->mode != 0))
        rt_runq_wake_slow(worker, process);
    else
        rt_runq_wake_unchecked(worker, process);
}

static inline rt_process *rt_runq_take_unchecked(rt_worker *worker) {
    rt_process *process = atomic_load_explicit(&worker->next, memory_order_relaxed);
    if (process != NULL) {
        atomic_store_explicit(&worker->next, NULL, memory_order_relaxed);
        if (RT_LIKELY(worker->head == NULL || --worker->next_budget > 0))
            return process;
        worker->next_budget = RT_NEXT_BUDGET; // the others' turn
        rt_runq_push_unchecked(worker, process);
    }
    process = worker->head;
    if (process == NULL)
        return NULL;
    worker->head = process->next;
    int64_t length = atomic_load_explicit(&worker->length, memory_order_relaxed);
    atomic_store_explicit(&worker->length, length - 1, memory_order_relaxed);
    return process;
}

static inline rt_process *rt_runq_take(rt_worker *worker) {
    return RT_UNLIKELY(worker->mode != 0) ? rt_runq_take_slow(worker) : rt_runq_take_unchecked(worker);
}

// ---- lists of claimed processes, to be made ready once the locks are released ----

typedef struct rt_ready {
    rt_process *head;
    rt_process *tail;
} rt_ready;

static inline void rt_ready_add(rt_ready *ready, rt_process *process) {
    process->next = NULL;
    if (ready->head == NULL)
        ready->head = process;
    else
        ready->tail->next = process;
    ready->tail = process;
}

// Makes them ready in order. In a section, no lock held.
void rt_ready_run(rt_worker *worker, rt_ready *ready);

// ---- switching (worker.c) ----

// What runs next, the process having been left: a ready one's context, or the loop's. Switch to it at once.
rt_context *rt_worker_pick(rt_process *process, rt_after after);
void rt_worker_arrive_slow(rt_worker *worker);
void rt_worker_tick(rt_worker *worker);

// First thing after a switch, on the stack that was switched to: finishes the switch.
static inline void rt_worker_arrive(rt_worker *worker) {
    if (RT_LIKELY(worker->after == RT_AFTER_PARK))
        atomic_store_explicit(&worker->previous->running, 0, memory_order_release);
    else
        rt_worker_arrive_slow(worker);
    uint64_t switches = atomic_load_explicit(&worker->switches, memory_order_relaxed) + 1;
    atomic_store_explicit(&worker->switches, switches, memory_order_relaxed);
    if (RT_UNLIKELY(switches % RT_TICK_SWITCHES == 0 ||
                    atomic_load_explicit(&worker->attention, memory_order_relaxed) != 0))
        rt_worker_tick(worker);
}

// Leaves the process for what is ready. In a section, which goes on when it returns. Inline, so that a parked process
// keeps one frame less.
static inline void rt_worker_switch(rt_process *process, rt_after after) {
    rt_context *target = rt_worker_pick(process, after);
    rt_context_swap(&process->context, target);
    rt_worker_arrive(process->worker);
}

// A random number of the worker, for choices that must be fair or replayable.
uint64_t rt_worker_random(rt_worker *worker);

// ---- waiting ----

// Sequentially consistent, as what is written before: `wait` in rt_process_wait_begin, `poll` in nxd_poll. The
// canceller writes `cancel` and then looks at `wait`; one of the two sees the other.
static inline bool rt_process_is_cancelled(const rt_process *process) {
    if (atomic_load(&process->cancel) != 0)
        return true;
    return RT_UNLIKELY(atomic_load(&rt_the_sched.cancelling) != 0) && process->handle != NULL;
}

// A new round: the process waits from now on and may be claimed at once. Result 0: it has been cancelled instead and
// does not wait. In a section; followed by rt_process_park.
static inline uint64_t rt_process_wait_begin(rt_process *process, rt_waits waits) {
    uint64_t round = atomic_load_explicit(&process->wait, memory_order_relaxed) + 1;
    bool shared = rt_worker_shares(process->worker);
    process->waits = (uint8_t)waits;
    if (RT_UNLIKELY(shared))
        atomic_store(&process->wait, round);
    else
        atomic_store_explicit(&process->wait, round, memory_order_relaxed);
    if (RT_LIKELY(!rt_process_is_cancelled(process)))
        return round;
    if (rt_process_claim(process, round, RT_WAKE_CANCEL, shared))
        return 0;
    return round; // the canceller was quicker and will make it ready
}

// Leaves the processor until the round is over; result: why.
static inline rt_wake rt_process_park(rt_process *process) {
    rt_worker_switch(process, RT_AFTER_PARK);
    return (rt_wake)process->wake;
}

// ---- start and end ----

// Runs the program's MAIN on this thread and everything it starts; never returns.
_Noreturn void rt_sched_run(void);
// Before the first spawn: workers may be needed from now on.
void rt_sched_start(void);
// Wakes or makes one more worker; it steals first if `hungry`. Holds sched.mutex.
bool rt_sched_add_worker_locked(bool hungry);
// Puts a claimed process into the inbox; for threads that are no awake worker.
void rt_sched_post(rt_process *process);
// The monitor thread (monitor.c).
void rt_monitor_start(void);
void rt_monitor_kick_locked(void);

// Everything rests and no timer is left (deadlock.c). Holds sched.mutex. True: something has become ready.
bool rt_deadlock_resolve_locked(rt_worker *worker);
NXD_OWNED nxd_error *rt_deadlock_error(rt_process *main);

// MAIN has returned (drain.c).
_Noreturn void rt_drain(rt_process *main, nxd_rw result);
// Whether MAIN has waited for the others as long as it may: by the program's time, or by the machine's if that stands still.
bool rt_drain_is_over(void);

#endif
