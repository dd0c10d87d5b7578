// Sleeping threads on Linux futexes, the mutex on top of them.
//
// Invariants: a mutex word is 0 free, 1 held, 2 held with sleepers (Drepper, "Futexes are tricky").
// Threads: any.
// Elsewhere than on Linux: sleeping polls with short naps, which is right but slow.
#include "nxd/futex.h"

#include <time.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#ifdef __linux__

enum { BILLION = 1000000000 };

void rt_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t deadline) {
    struct timespec until = {.tv_sec = deadline / BILLION, .tv_nsec = deadline % BILLION};
    // BITSET takes an absolute time of the monotonic clock.
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, deadline == RT_NEVER ? NULL : &until, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

void rt_futex_wake(_Atomic uint32_t *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#else

void rt_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t deadline) {
    struct timespec nap = {.tv_sec = 0, .tv_nsec = 50000};
    for (int round = 0; round < 20 && atomic_load(word) == value && rt_now() < deadline; round++)
        nanosleep(&nap, NULL);
}

void rt_futex_wake(_Atomic uint32_t *word, int count) {
    (void)word;
    (void)count;
}

#endif

void rt_mutex_lock(rt_mutex *mutex) {
    uint32_t state = 0;
    if (atomic_compare_exchange_strong_explicit(&mutex->word, &state, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&mutex->word, 2, memory_order_acquire) != 0)
        rt_futex_wait(&mutex->word, 2, RT_NEVER);
}

void rt_mutex_unlock(rt_mutex *mutex) {
    if (atomic_exchange_explicit(&mutex->word, 0, memory_order_release) == 2)
        rt_futex_wake(&mutex->word, 1);
}
