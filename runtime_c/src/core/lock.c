// Locks of shared objects: a table of spin locks, chosen by address.
//
// Purpose: makes single operations on shared containers atomic without a lock word in every object.
// Invariants: a lock is held for a few instructions only (at worst while a container grows), never across a park, and never two by
//   one thread: what is done to other objects (drops, hashing, comparing, formatting) is done before or after.
// Threads: acquire on lock, release on unlock. A holder may be descheduled by the kernel: waiters give their time slice away.
// Rejected: a lock bit in the count: dup and drop of shared objects would have to mask it.
#include "nxd/object.h"

#include <sched.h>

enum { LOCKS = 256, LINE = 64, LOCK_SPINS = 64 };

static struct {
    uint32_t held;
    char pad[LINE - sizeof(uint32_t)];
} locks[LOCKS];

static uint32_t *lock_of(const void *object) {
    uint64_t hash = (uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15);
    return &locks[hash >> 56].held;
}

void rt_lock(const void *object) {
    uint32_t *held = lock_of(object);
    for (int spins = 0; __atomic_exchange_n(held, 1, __ATOMIC_ACQUIRE) != 0; spins++)
        while (__atomic_load_n(held, __ATOMIC_RELAXED) != 0) {
            if (++spins < LOCK_SPINS) {
#if defined(__x86_64__)
                __builtin_ia32_pause();
#endif
            } else {
                sched_yield();
            }
        }
}

void rt_unlock(const void *object) {
    __atomic_store_n(lock_of(object), 0, __ATOMIC_RELEASE);
}
