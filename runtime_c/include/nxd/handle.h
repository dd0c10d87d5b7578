// Handles: TASK and PROCESS values (sched/handle.c).
//
// A handle outlives its process, which hands its result over and is reused. References of the program are counted in
// the header. The process's own reference is the bit DONE not being set: whoever comes second of "no reference left"
// and "done" disposes of it.
#ifndef NXD_HANDLE_H
#define NXD_HANDLE_H

#include "nxd/channel.h"

enum { // nxd_handle.state
    RT_HANDLE_DONE = 1,      // set last by the process: it does not touch the handle after that
    RT_HANDLE_DROPPED = 2,   // no reference left
    RT_HANDLE_SEEN = 4,      // its error has been raised by an AWAIT
    RT_HANDLE_PUBLISHED = 8  // the value is marked shared, so that it can be copied without the lock
};

typedef struct rt_failed rt_failed; // an error nobody has seen yet
typedef struct rt_watch rt_watch;

struct nxd_handle {
    nxd_object head;
    _Atomic uint32_t state;
    rt_spin lock;
    rt_process *process; // NULL once it has ended; guarded by lock
    rt_queue waiters;    // guarded by lock
    // Written by the process before DONE.
    union {
        nxd_word value;
        rt_failed *failed; // when there is an error
    } result;
    nxd_error *error;
    int64_t completed; // its place in the order in which processes ended
    rt_watch *watch;   // guarded by lock; NULL once DONE
};

struct rt_watch { // the watchdog that TIMEOUT sets; freed by the timer heap
    _Atomic uint64_t round; // odd until it fires or is called off
    nxd_handle *handle;     // alive while the round is odd, and until the firing watch has left handle->watch
    rt_timers *timers;
    rt_watch *next; // among those that fire
};

// A handle for a process to be started; one reference, shared.
NXD_OWNED nxd_handle *rt_handle_new(int64_t type);
// The process has ended: everyone who awaits it is made ready. Takes the result. In a section. True: no reference is
// left, the caller must dispose of it outside of the section.
bool rt_handle_complete(rt_worker *worker, rt_process *process, nxd_rw result);
// Frees a handle that is done and unreferenced, reporting an error that nobody has seen. `pending` may be NULL.
void rt_handle_dispose(nxd_handle *handle, rt_pending *pending);
// The descriptor number of its results.
int64_t rt_handle_result_type(const nxd_handle *handle);
// Reports the errors that nobody has awaited. At the end of the program.
void rt_handle_report_failed(void);
// A TIMEOUT's time has come. In a section.
void rt_watch_fire(rt_worker *worker, rt_watch *watch);
void rt_watch_free(rt_watch *watch);

#endif
