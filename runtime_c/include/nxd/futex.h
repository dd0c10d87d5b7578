// Sleeping threads, and the plain mutex.
//
// Purpose: the only waiting primitives of the runtime that block a thread (not a process).
// Threads: all functions may be called by any thread.
#ifndef NXD_FUTEX_H
#define NXD_FUTEX_H

#include "nxd/clock.h"

#include <stdatomic.h>

// Sleeps while *word == value, at most until `deadline` of rt_now. May wake for no reason.
void rt_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t deadline);
void rt_futex_wake(_Atomic uint32_t *word, int count);

// 0 free, 1 held, 2 held and somebody sleeps.
typedef struct rt_mutex {
    _Atomic uint32_t word;
} rt_mutex;

void rt_mutex_lock(rt_mutex *mutex);
void rt_mutex_unlock(rt_mutex *mutex);

#endif
