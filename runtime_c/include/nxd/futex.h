// Sleeping threads, the plain mutex, and the clock they share.
//
// Purpose: the only waiting primitives of the runtime that block a thread (not a process).
// Threads: all functions may be called by any thread.
#ifndef NXD_FUTEX_H
#define NXD_FUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RT_NEVER INT64_MAX // a deadline that does not come

// Nanoseconds of the monotonic clock.
int64_t rt_now(void);
// `seconds` from now as a deadline: at least now, at most RT_NEVER.
int64_t rt_deadline_after(double seconds);

// Sleeps while *word == value, at most until `deadline`. May wake for no reason.
void rt_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t deadline);
void rt_futex_wake(_Atomic uint32_t *word, int count);

// 0 free, 1 held, 2 held and somebody sleeps.
typedef struct rt_mutex {
    _Atomic uint32_t word;
} rt_mutex;

void rt_mutex_lock(rt_mutex *mutex);
void rt_mutex_unlock(rt_mutex *mutex);

#endif
