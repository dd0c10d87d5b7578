// Cycle collection (core/cycles.c).
#ifndef NXD_CYCLES_H
#define NXD_CYCLES_H

#include "nxd/hooks.h"
#include "nxd/object.h"

// rt_unref of an object of a CYCLIC type whose plain count is above 1. True: its contents must be released now.
bool rt_cycles_unref(NXD_TAKE nxd_object *object);
// Frees the shell of a released object, unless a cycle buffer still refers to it.
void rt_cycles_free_shell(nxd_object *object);
// Looks for garbage cycles among the buffered objects of the running process.
void rt_cycles_collect(rt_cycle_buffer *buffer);
// Does so when enough have come together. Not inside rt_release.
void rt_cycles_poll(void);

#endif
