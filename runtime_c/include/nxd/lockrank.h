// The scheduler's spin locks, and the order in which they may be taken.
//
// Purpose: short critical sections on channels, handles, queues and timers. A lock is held for some dozens of
//   instructions, never across a park, an allocation of user data or a call of generated code.
// Threads: while only one worker is awake nobody else can touch what the locks guard, so `shared` is false and taking a
//   lock costs a test (see "sections" in nxd/worker.h). Locks that other threads take as well pass `true`.
// Rejected: futex locks (the holder is gone long before a sleep pays); lock-free channels (SELECT needs several at
//   once).
#ifndef NXD_LOCKRANK_H
#define NXD_LOCKRANK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// A thread may take a lock only of a higher rank than those it holds. Channels: several, by rising address.
typedef enum rt_rank {
    RT_RANK_CHANNEL = 1,
    RT_RANK_HANDLE,
    RT_RANK_GROUP,
    RT_RANK_TIMER,
    RT_RANK_QUEUE,
    RT_RANK_STACKS,
    RT_RANK_INBOX,
    RT_RANK_FAILED
} rt_rank;

typedef struct rt_spin {
    _Atomic uint32_t word; // 0 free, 1 held
} rt_spin;

// Between two looks at what another thread is about to change.
static inline void rt_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void rt_spin_wait(rt_spin *lock); // takes a lock that was found held

#ifdef NXD_DEBUG
void rt_lockrank_take(const rt_spin *lock, rt_rank rank);
void rt_lockrank_give(const rt_spin *lock);
void rt_lockrank_none(void); // asserts that the thread holds none
#else
static inline void rt_lockrank_take(const rt_spin *lock, rt_rank rank) {
    (void)lock;
    (void)rank;
}
static inline void rt_lockrank_give(const rt_spin *lock) {
    (void)lock;
}
static inline void rt_lockrank_none(void) {
}
#endif

static inline void rt_spin_take(rt_spin *lock, rt_rank rank, bool shared) {
    rt_lockrank_take(lock, rank);
    if (__builtin_expect(shared, 0)) {
        uint32_t open = 0;
        if (!atomic_compare_exchange_strong_explicit(&lock->word, &open, 1, memory_order_acquire, memory_order_relaxed))
            rt_spin_wait(lock);
    }
}

static inline void rt_spin_give(rt_spin *lock, bool shared) {
    rt_lockrank_give(lock);
    if (__builtin_expect(shared, 0))
        atomic_store_explicit(&lock->word, 0, memory_order_release);
}

#endif
