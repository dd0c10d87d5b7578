// The context switch for AArch64: saves what a call preserves (x19-x30, d8-d15), changes stacks.
#if defined(__aarch64__) && !defined(NXD_UCONTEXT)

    .text
    .globl rt_context_jump
    .hidden rt_context_jump
    .type rt_context_jump, %function
// void rt_context_jump(void **save, void *load): stores the stack pointer in *save, goes on at `load`.
rt_context_jump:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size rt_context_jump, . - rt_context_jump

    .globl rt_context_begin
    .hidden rt_context_begin
    .type rt_context_begin, %function
// Where a new context starts: x19 is the argument, x20 the entry function.
rt_context_begin:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    mov x29, #0
    mov x30, #0
    blr x20
    brk #1
    .cfi_endproc
    .size rt_context_begin, . - rt_context_begin

#endif
#if defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
