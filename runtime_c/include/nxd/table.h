// A hash table from addresses to 64-bit values, for the walkers that must know what they have met (core/table.c).
#ifndef NXD_TABLE_H
#define NXD_TABLE_H

#include "nxd/base.h"

typedef struct rt_table_slot {
    const void *key; // NULL: empty
    int64_t value;
} rt_table_slot;

typedef struct rt_table { // zeroed memory is an empty table
    rt_table_slot *slots;
    int64_t capacity; // 0 or a power of two
    int64_t length;
} rt_table;

// The place of the key's value; *found tells whether it was there. A new value is 0. Valid until the next call.
int64_t *rt_table_put(rt_table *table, const void *key, bool *found);
// The same without adding; NULL when it is not there.
int64_t *rt_table_find(const rt_table *table, const void *key);
void rt_table_free(rt_table *table);

#endif
