// Small things every file of the runtime uses: attributes, assertions, atomics on counts.
#ifndef NXD_BASE_H
#define NXD_BASE_H

#include "nxd/abi.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NXD_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(NXD_ASAN)
#define NXD_ASAN 1
#endif

#define RT_NOINLINE __attribute__((noinline))
#define RT_COLD __attribute__((cold, noinline))
#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)

__extension__ typedef unsigned __int128 rt_wide;

// The runtime itself is broken, or memory is out: a message on stderr, then abort.
_Noreturn void rt_fatal(const char *what);
_Noreturn void rt_fatal_memory(void); // nothing is left even of the reserve

#ifdef NXD_DEBUG
#define rt_assert(condition) ((condition) ? (void)0 : rt_fatal("assertion failed: " #condition))
#else
#define rt_assert(condition) ((void)0)
#endif

static inline int64_t rt_min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t rt_max(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static inline double rt_word_float(nxd_word word) {
    union {
        nxd_word word;
        double value;
    } bits = {.word = word};
    return bits.value;
}

static inline nxd_word rt_float_word(double value) {
    union {
        nxd_word word;
        double value;
    } bits = {.value = value};
    return bits.word;
}

static inline nxd_word rt_ptr_word(const void *pointer) {
    return (nxd_word)(uintptr_t)pointer;
}

static inline nxd_object *rt_word_object(nxd_word word) {
    return (nxd_object *)(uintptr_t)word;
}

static inline nxd_rw rt_ok(nxd_word value) {
    return (nxd_rw){.value = value, .error = NULL};
}

static inline nxd_rw rt_fail(NXD_TAKE nxd_error *error) {
    return (nxd_rw){.value = 0, .error = error};
}

#endif
