// Processes: what runs a spawned call.
//
// Purpose: the process structure, its states, and how a process waits and is woken.
//
// States. `wait` is a round number, odd while the process waits; every wait is a new round.
//
//   state     condition                        who changes it
//   new       in a run queue, never run        spawn -> ready
//   ready     wait even, in a run queue or a   a worker takes it -> running
//             worker's `next` slot
//   running   wait even, `running` 1, is       poll -> ready; wait_begin -> waiting; end -> free
//             worker->current
//   waiting   wait odd                         exactly one claimer makes it even (compare-and-swap of the round) ->
//   ready free      handle NULL, wait even           spawn -> new
//
// Claimers: the other side of a channel, a completed handle, a timer, ESC, the deadlock check. The claimer sets `wake`
//   and makes the process ready. A waiter found in a queue whose round is over is skipped; its owner unlinks it under
//   the queue's lock before it waits again, so the round in a queue is never older than the process's last wait on that
//   queue. Timers may be older: they keep the round number they were made for and are dropped when it is over.
// Saved contexts: a claimer waits until `running` is 0, that is, until the process's worker has left its stack; nobody
//   holds a lock meanwhile.
// Memory: structures are never given back; what is read from a stale reference is old, but always a process. A new
//   process has no stack yet (context.saved is NULL): it gets one when it first runs.
#ifndef NXD_PROCESS_H
#define NXD_PROCESS_H

#include "nxd/base.h"
#include "nxd/context.h"
#include "nxd/hooks.h"

#include <stdatomic.h>

typedef struct rt_worker rt_worker;
typedef struct rt_thread rt_thread;

typedef enum rt_wake { // why a wait ended
    RT_WAKE_DONE = 0,  // what was waited for has happened
    RT_WAKE_CLOSED,
    RT_WAKE_TIMEOUT,
    RT_WAKE_CANCEL,
    RT_WAKE_DEADLOCK
} rt_wake;

typedef enum rt_waits { // what a process waits in, for reports and for the choice of E3002
    RT_WAITS_NOT = 0,
    RT_WAITS_SEND,
    RT_WAITS_RECV,
    RT_WAITS_LOOP,
    RT_WAITS_AWAIT,
    RT_WAITS_SELECT,
    RT_WAITS_SLEEP,
    RT_WAITS_DRAIN, // MAIN has returned
    RT_WAITS_INPUT  // a blocking system call
} rt_waits;

typedef struct rt_process rt_process;

struct rt_process {
    // First cache line: all that a switch touches.
    nxd_process head;
    rt_context context;
    rt_worker *worker;   // while running
    rt_process *next;    // in a run queue
    _Atomic uint64_t wait;
    _Atomic uint16_t cancel;  // 0, or the code that cancels it: 3004, 3005
    _Atomic uint8_t running;
    uint8_t wake;             // rt_wake, set by the claimer
    uint8_t waits;            // rt_waits
    uint8_t spare[3];

    int32_t wake_index; // SELECT: the chosen case
    bool delivered;     // its cancellation has been raised once
    bool no_memory;     // an allocation has failed: E1009 at the next poll
    bool deep;          // has used more than the soft part of its stack
    uint32_t select_turn;
    char *stack;          // lowest address
    uintptr_t stack_hard; // E1007 below this
    uintptr_t stack_soft; // the limit while the stack is not deep
    nxd_entry entry;
    nxd_object *env;
    nxd_handle *handle; // NULL: free, or MAIN
    const nxd_site *site; // of its SPAWN
    rt_thread *thread;    // while in a blocking call
    rt_cycle_buffer cycles;
} __attribute__((aligned(64)));

static inline rt_process *rt_process_of(nxd_process *self) {
    return (rt_process *)self;
}

// Registers of a running wait: see the states above.
static inline bool rt_process_is_waiting(uint64_t wait) {
    return (wait & 1) != 0;
}

// Ends the wait of round `wait` for the caller, if nobody else has. In a section.
static inline bool rt_process_claim(rt_process *process, uint64_t wait, rt_wake wake, bool shared) {
    if (RT_UNLIKELY(shared)) {
        if (!atomic_compare_exchange_strong(&process->wait, &wait, wait + 1))
            return false;
    } else {
        if (atomic_load_explicit(&process->wait, memory_order_relaxed) != wait)
            return false;
        atomic_store_explicit(&process->wait, wait + 1, memory_order_relaxed);
    }
    process->wake = (uint8_t)wake;
    return true;
}

// The error of a wait that ended with TIMEOUT (never), CLOSED, CANCEL or DEADLOCK.
NXD_OWNED nxd_error *rt_process_wake_error(rt_process *process, rt_wake wake);

// Asks a process that runs to call nxd_poll soon.
void rt_process_interrupt(rt_process *process);
// Cancels with `code`, unless it is cancelled already. True: the caller has claimed it and must make it ready.
bool rt_process_cancel(rt_process *process, uint16_t code, bool shared);

// The process that runs on this thread, or NULL.
rt_process *rt_process_current(void);

// Gives a new process its stack and context. In a section.
void rt_process_prepare(rt_worker *worker, rt_process *process);
// A process has ended and left its stack.
void rt_process_release(rt_worker *worker, rt_process *process);

#endif
