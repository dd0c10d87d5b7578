// Timers: a heap of deadlines per worker.
//
// Purpose: SLEEP, timed RECV and SELECT, TIMEOUT.
// Invariants: entries[0] is the earliest; `first` equals its deadline, RT_NEVER when there is none. An entry is *stale*
//   once the round it was made for is over (timers are never searched for and removed: a stale entry is dropped when it
//   comes up or when stale ones outnumber the others). `stale` is at most an estimate of their number.
// Threads: lock guards all but `first` and `stale`; any awake worker may run another's expired timers.
// Rejected: removing a timer when its wait ends early (each sift would write to the stacks of the processes it passes:
//   a cache miss a level); a timing wheel (deadlines of a microsecond to years, and 100,000 timers cost 20 ms in all as
//   they are).
#ifndef NXD_TIMER_H
#define NXD_TIMER_H

#include "nxd/futex.h"
#include "nxd/lockrank.h"
#include "nxd/process.h"

typedef struct rt_watch rt_watch; // the watchdog of a TIMEOUT (handle.c)

typedef struct rt_timer {
    int64_t deadline;
    uint64_t round;     // process: the wait it ends
    uintptr_t target;   // rt_process *, or rt_watch * with the lowest bit set
} rt_timer;

typedef struct rt_timers {
    rt_spin lock;
    rt_timer *entries;
    int64_t count;
    int64_t capacity;
    _Atomic int64_t first;
    _Atomic int64_t stale;
} rt_timers;

// Ends the process's wait at `deadline`, in round `round`. In a section of the worker.
void rt_timer_add(rt_worker *worker, int64_t deadline, rt_process *process, uint64_t round);
void rt_timer_add_watch(rt_worker *worker, int64_t deadline, rt_watch *watch);
// A timed wait ended otherwise: its entry is stale. `timers` is where it was added.
void rt_timer_stale(rt_timers *timers);
// Makes ready on `worker` what has expired in `timers`. In a section. Result: whether there was any.
bool rt_timer_run(rt_worker *worker, rt_timers *timers, int64_t now);
// The earliest deadline that still ends a wait, or RT_NEVER. Only while all workers rest.
int64_t rt_timer_first_live(rt_timers *timers);

#endif
