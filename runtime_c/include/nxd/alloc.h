// Memory for objects and their buffers (core/alloc.c). Sizes are given back on free, so blocks have no header.
#ifndef NXD_ALLOC_H
#define NXD_ALLOC_H

#include "nxd/base.h"

void *rt_alloc(int64_t size);             // never NULL: when memory runs out, the process gets E1009 at its next poll
// Whether a block of this size can be had now; for what may be large and can raise E1009 by itself.
bool rt_alloc_fits(int64_t size);
// How much to allocate for what grows: `wanted`, or `least` where that much cannot be had (E1009 then comes as above).
int64_t rt_alloc_growth(int64_t wanted, int64_t least);
void rt_free(void *memory, int64_t size); // NULL is allowed when size is 0
// Like realloc; `memory` may be NULL when old_size is 0.
void *rt_realloc(void *memory, int64_t old_size, int64_t new_size);
void rt_alloc_thread_end(void);
#ifdef NXD_DEBUG
bool rt_alloc_test_is_over(void); // fewer allocations were made than the number of the one to fail
#endif
// Zeroed memory for tables that are read at random: big ones in huge pages, where the kernel has them.
void *rt_alloc_table(int64_t size);
void rt_free_table(void *memory, int64_t size); // NULL is allowed
// The size the allocator really reserves for `size`: what a growable object may use.
int64_t rt_alloc_usable(int64_t size);

#endif
