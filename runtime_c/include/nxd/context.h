// Contexts: what is kept of a stack of calls while another one runs.
//
// Purpose: the switch between process stacks and thread stacks, written by hand for x86-64 and aarch64, ucontext
//   elsewhere. Only the registers that a C function call preserves are kept; the floating point control words are the
//   program's and equal.
// Threads: a context is switched to by one thread at a time; sched/worker.c makes sure that it has been saved before.
// Every switch goes through rt_context_swap, which is also the one place where the sanitizers are told.
#ifndef NXD_CONTEXT_H
#define NXD_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define RT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RT_TSAN 1
#endif
#endif

typedef struct rt_context {
    void *saved; // stack pointer (or ucontext_t *) while it does not run
#ifdef RT_ASAN
    const void *bottom; // lowest address of its stack
    size_t size;
    void *fake;
#endif
#ifdef RT_TSAN
    void *fiber;
#endif
} rt_context;

// Prepares a context that calls entry(argument) on the stack between `low` and `top`; entry never returns.
void rt_context_make(rt_context *context, void *low, void *top, void (*entry)(void *), void *argument);
// The context of the calling thread's own stack, filled in by the first switch away from it.
void rt_context_adopt(rt_context *context);
// Frees what belongs to a context that will not run again.
void rt_context_end(rt_context *context);
// Saves the running context in `from` and goes on with `to`. Returns when somebody switches back to `from`.
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(NXD_UCONTEXT) && !defined(RT_ASAN) && !defined(RT_TSAN)
void rt_context_jump(void **save, void *load); // context_<processor>.S

static inline void rt_context_swap(rt_context *from, rt_context *to) {
    rt_context_jump(&from->saved, to->saved);
}
#else
#define RT_CONTEXT_SWAP_OUT_OF_LINE 1
void rt_context_swap(rt_context *from, rt_context *to);
#endif
// The same for a context that is never resumed.
_Noreturn void rt_context_leave(rt_context *from, rt_context *to);
// First call of an entry function.
void rt_context_entered(void);

#endif
