// Spin locks: the slow path, and the check of the locking order in debug builds.
//
// Invariants (debug): a thread's held locks have rising ranks, or are channels of rising addresses (SELECT).
// Threads: any. The list of held locks belongs to the thread; it is empty at every context switch.
#include "nxd/lockrank.h"

#include "nxd/base.h"

#include <sched.h>

enum { SPINS_BEFORE_YIELD = 200 };

RT_COLD void rt_spin_wait(rt_spin *lock) {
    for (int spins = 0;; spins++) {
        uint32_t open = 0;
        if (atomic_load_explicit(&lock->word, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_weak_explicit(&lock->word, &open, 1, memory_order_acquire, memory_order_relaxed))
            return;
        if (spins < SPINS_BEFORE_YIELD)
            rt_pause();
        else
            sched_yield(); // its holder may have lost the processor
    }
}

#ifdef NXD_DEBUG

enum { HELD_MAX = 512 };

static _Thread_local struct {
    const rt_spin *lock;
    rt_rank rank;
} held[HELD_MAX];
static _Thread_local int held_count;

RT_NOINLINE void rt_lockrank_take(const rt_spin *lock, rt_rank rank) {
    if (held_count == HELD_MAX)
        rt_fatal("too many locks held");
    if (held_count > 0) {
        rt_rank last = held[held_count - 1].rank;
        bool next_channel = rank == RT_RANK_CHANNEL && last == rank && held[held_count - 1].lock < lock;
        if (rank <= last && !next_channel)
            rt_fatal("locks taken out of order");
    }
    held[held_count].lock = lock;
    held[held_count].rank = rank;
    held_count++;
}

RT_NOINLINE void rt_lockrank_give(const rt_spin *lock) {
    for (int index = held_count - 1; index >= 0; index--) {
        if (held[index].lock != lock)
            continue;
        held_count--;
        for (; index < held_count; index++)
            held[index] = held[index + 1];
        return;
    }
    rt_fatal("a lock given that was not held");
}

RT_NOINLINE void rt_lockrank_none(void) {
    rt_assert(held_count == 0);
}

#endif
