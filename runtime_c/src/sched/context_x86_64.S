// The context switch for x86-64 System V: saves what a call preserves, changes stacks.
// The control words of the floating point units are not saved: nothing in a program changes them.
#if defined(__x86_64__) && !defined(NXD_UCONTEXT)

    .text
    .globl rt_context_jump
    .hidden rt_context_jump
    .type rt_context_jump, @function
// void rt_context_jump(void **save, void *load): stores the stack pointer in *save, goes on at `load`.
rt_context_jump:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret // every context left from the same call: the return is predicted
    .size rt_context_jump, . - rt_context_jump

    .globl rt_context_begin
    .hidden rt_context_begin
    .type rt_context_begin, @function
// Where a new context starts: rbx is the argument, r12 the entry function.
rt_context_begin:
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    xorl %ebp, %ebp
    callq *%r12
    ud2
    .cfi_endproc
    .size rt_context_begin, . - rt_context_begin

#endif
#if defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
