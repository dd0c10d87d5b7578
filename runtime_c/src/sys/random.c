// Random numbers: SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
//
// Purpose: RANDOM and its kin. Not for secrets.
// Invariants: the n-th number since a SEED depends on the seed only; processes that draw at the same time share one sequence.
// Threads: any; the state is one atomic counter, so no lock is needed.
#include "nxd/io.h"

#include <sys/auxv.h>
#include <string.h>
#include <time.h>

static uint64_t random_state;
static uint32_t random_seeded; // 0: the state is still to be set

static const uint64_t STEP = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t scramble(uint64_t value) {
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

uint64_t rt_random_entropy(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t value = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32;
    const void *kernel = (const void *)getauxval(AT_RANDOM); // 16 random bytes the kernel gives every program
    if (kernel != NULL) {
        uint64_t words[2];
        memcpy(words, kernel, sizeof words);
        value ^= words[0] ^ scramble(words[1]);
    }
    return scramble(value);
}

void rt_random_seed(uint64_t seed) {
    __atomic_store_n(&random_state, scramble(seed), __ATOMIC_RELAXED);
    __atomic_store_n(&random_seeded, 1, __ATOMIC_RELEASE);
}

uint64_t rt_random_next(void) {
    if (RT_UNLIKELY(__atomic_load_n(&random_seeded, __ATOMIC_ACQUIRE) == 0))
        rt_random_seed(rt_random_entropy());
    return scramble(__atomic_add_fetch(&random_state, STEP, __ATOMIC_RELAXED));
}
