// Memory of processes: their structures (sched/pool.c) and their stacks (sched/stack.c).
//
// A process gets its stack when it first runs, not when it is spawned: one that runs to its end without parking uses a
// stack that is hot in the cache, however many wait to be run.
#ifndef NXD_STACK_H
#define NXD_STACK_H

#include "nxd/process.h"

enum {
    RT_STACK_HEADROOM = 64 << 10, // below the limit: for C functions, which do not check
    RT_STACK_SOFT = 32 << 10      // what most processes stay within
};

typedef struct rt_stack {
    char *low; // lowest address
    char *top; // first address above; aligned to 16
} rt_stack;

// A stack, hot if possible. In a section of the worker.
rt_stack rt_stack_take(rt_worker *worker);
// Nobody runs on it any more. `deep`: more than the soft part was used.
void rt_stack_release(rt_worker *worker, char *low, bool deep);
// Gives back the memory of a few stacks that nobody has used for a while. In no section. True: there may be more.
bool rt_stack_clean_some(void);
// MAIN's stack. Called once.
rt_stack rt_stack_main(void);

// A free process structure: `wait` even and `next` undefined, otherwise as its last user left it, or zero. In a
//   section.
rt_process *rt_pool_take(rt_worker *worker);
void rt_pool_release(rt_worker *worker, rt_process *process);
// Visits every process that there is or has been but MAIN, until visit returns false. Free ones have no handle.
void rt_pool_each(bool (*visit)(rt_process *process, void *argument), void *argument);

#endif
