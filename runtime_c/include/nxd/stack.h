// Process stacks (sched/stack.c).
#ifndef NXD_STACK_H
#define NXD_STACK_H

#include "nxd/process.h"

enum {
    RT_STACK_HEADROOM = 64 << 10, // below the limit: for C functions, which do not check
    RT_STACK_SOFT = 32 << 10      // what most processes stay within
};

// A stack, hot if possible; the process at its top is free (fields as it left them, or zero). In a section of the worker.
rt_process *rt_stack_take(rt_worker *worker);
// Nobody runs on it any more.
void rt_stack_release(rt_worker *worker, rt_process *process);
// MAIN's stack, with its process at the top. Called once.
rt_process *rt_stack_main(void);
// Lowest usable address.
void *rt_stack_low(const rt_process *process);
// Visits every process that there is or has been, MAIN last, until visit returns false.
void rt_stack_each(bool (*visit)(rt_process *process, void *argument), void *argument);

#endif
