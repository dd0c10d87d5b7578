// Making contexts, and the one place where the sanitizers hear of switches.
//
// Invariants: a context's `saved` is valid exactly while it does not run. The seven (x86-64) or twenty (AArch64) words
//   above `saved` are those that rt_context_jump pops.
// Threads: a context belongs to whoever runs it or is about to.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // pthread_getattr_np
#endif
#include "nxd/context.h"

#include "nxd/base.h"

#include <string.h>

#ifdef RT_ASAN
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef RT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(NXD_UCONTEXT)

void rt_context_jump(void **save, void *load);
void rt_context_begin(void);

static void *context_frame_make(void *low, void *top, void (*entry)(void *), void *argument) {
    (void)low;
    uintptr_t *frame = (uintptr_t *)((uintptr_t)top & ~(uintptr_t)15);
#ifdef __x86_64__
    frame -= 7; // r15 r14 r13 r12 rbx rbp and the return address; then the stack is aligned, as before a call
    memset(frame, 0, 7 * sizeof *frame);
    frame[3] = (uintptr_t)entry;
    frame[4] = (uintptr_t)argument;
    frame[6] = (uintptr_t)rt_context_begin;
#else
    frame -= 20; // x19 ... x30, d8 ... d15
    memset(frame, 0, 20 * sizeof *frame);
    frame[0] = (uintptr_t)argument;
    frame[1] = (uintptr_t)entry;
    frame[11] = (uintptr_t)rt_context_begin;
#endif
    return frame;
}

static void context_jump(rt_context *from, rt_context *to) {
    rt_context_jump(&from->saved, to->saved);
}

static void context_saved_free(rt_context *context) {
    (void)context;
}

#else // ucontext: a system call a switch, but it works everywhere

#include <stdlib.h>
#include <ucontext.h>

typedef struct frame {
    ucontext_t context;
    void (*entry)(void *);
    void *argument;
} frame;

static void frame_begin(unsigned high, unsigned low) {
    frame *self = (frame *)(((uintptr_t)high << 16 << 16) | low);
    self->entry(self->argument);
}

static frame *frame_new(void) {
    frame *self = malloc(sizeof *self);
    if (self == NULL)
        rt_fatal_memory();
    return self;
}

static void *context_frame_make(void *low, void *top, void (*entry)(void *), void *argument) {
    frame *self = frame_new();
    getcontext(&self->context);
    self->entry = entry;
    self->argument = argument;
    self->context.uc_stack.ss_sp = low;
    self->context.uc_stack.ss_size = (size_t)((char *)top - (char *)low);
    self->context.uc_link = NULL;
    uintptr_t address = (uintptr_t)self; // makecontext passes ints
    makecontext(&self->context, (void (*)(void))frame_begin, 2, (unsigned)(address >> 16 >> 16), (unsigned)address);
    return self;
}

static void context_jump(rt_context *from, rt_context *to) {
    if (from->saved == NULL)
        from->saved = frame_new();
    swapcontext(&((frame *)from->saved)->context, &((frame *)to->saved)->context);
}

static void context_saved_free(rt_context *context) {
    free(context->saved);
    context->saved = NULL;
}

#endif

void rt_context_make(rt_context *context, void *low, void *top, void (*entry)(void *), void *argument) {
    context->saved = context_frame_make(low, top, entry, argument);
#ifdef RT_ASAN
    context->bottom = low;
    context->size = (size_t)((char *)top - (char *)low);
    context->fake = NULL;
    // Frames of the last process here were left, not returned from.
    char *used = (char *)top - rt_min((char *)top - (char *)low, 256 << 10);
    __asan_unpoison_memory_region(used, (size_t)((char *)top - used));
#endif
#ifdef RT_TSAN
    context->fiber = __tsan_create_fiber(0);
#endif
}

void rt_context_adopt(rt_context *context) {
    memset(context, 0, sizeof *context);
#ifdef RT_ASAN
    pthread_attr_t attributes;
    void *bottom = NULL;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &context->size);
        pthread_attr_destroy(&attributes);
    }
    context->bottom = bottom;
#endif
#ifdef RT_TSAN
    context->fiber = __tsan_get_current_fiber();
#endif
}

void rt_context_end(rt_context *context) {
    context_saved_free(context);
#ifdef RT_TSAN
    __tsan_destroy_fiber(context->fiber);
    context->fiber = NULL;
#endif
}

// `fake` is where ASan keeps the frames of `from`; NULL when from ends with this switch.
static void context_swap(rt_context *from, rt_context *to, void **fake) {
    (void)fake;
#ifdef RT_ASAN
    __sanitizer_start_switch_fiber(fake, to->bottom, to->size);
#endif
#ifdef RT_TSAN
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    context_jump(from, to);
#ifdef RT_ASAN
    __sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
#endif
}

#ifdef RT_CONTEXT_SWAP_OUT_OF_LINE
void rt_context_swap(rt_context *from, rt_context *to) {
#ifdef RT_ASAN
    context_swap(from, to, &from->fake);
#else
    context_swap(from, to, NULL);
#endif
}
#endif

_Noreturn void rt_context_leave(rt_context *from, rt_context *to) {
    context_swap(from, to, NULL);
    rt_fatal("a context that had ended was resumed");
}

void rt_context_entered(void) {
#ifdef RT_ASAN
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}
