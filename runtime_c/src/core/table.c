// A hash table from addresses to 64-bit values: open addressing, linear probing, at most half full.
//
// Purpose: what has been copied already (share.c), what a garbage candidate reaches (cycles.c), what a printed value has shown
//   (format.c).
// Invariants: capacity is 0 or a power of two; length <= capacity / 2; no deletion.
// Threads: a table belongs to one call.
#include "nxd/table.h"

#include "nxd/alloc.h"

#include <string.h>

enum { TABLE_FIRST_CAPACITY = 64 };

static int64_t home(const rt_table *table, const void *key) {
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    return (int64_t)(hash >> 20) & (table->capacity - 1);
}

static rt_table_slot *slot_of(const rt_table *table, const void *key) {
    int64_t i = home(table, key);
    while (table->slots[i].key != NULL && table->slots[i].key != key)
        i = (i + 1) & (table->capacity - 1);
    return &table->slots[i];
}

static void grow(rt_table *table) {
    rt_table old = *table;
    table->capacity = old.capacity == 0 ? TABLE_FIRST_CAPACITY : 2 * old.capacity;
    table->slots = rt_alloc(table->capacity * (int64_t)sizeof(rt_table_slot));
    memset(table->slots, 0, (size_t)table->capacity * sizeof(rt_table_slot));
    for (int64_t i = 0; i < old.capacity; i++)
        if (old.slots[i].key != NULL)
            *slot_of(table, old.slots[i].key) = old.slots[i];
    rt_free(old.slots, old.capacity * (int64_t)sizeof(rt_table_slot));
}

int64_t *rt_table_put(rt_table *table, const void *key, bool *found) {
    if (2 * (table->length + 1) > table->capacity)
        grow(table);
    rt_table_slot *slot = slot_of(table, key);
    *found = slot->key != NULL;
    if (!*found) {
        slot->key = key;
        slot->value = 0;
        table->length++;
    }
    return &slot->value;
}

int64_t *rt_table_find(const rt_table *table, const void *key) {
    if (table->length == 0)
        return NULL;
    rt_table_slot *slot = slot_of(table, key);
    return slot->key == NULL ? NULL : &slot->value;
}

void rt_table_free(rt_table *table) {
    rt_free(table->slots, table->capacity * (int64_t)sizeof(rt_table_slot));
    *table = (rt_table){0};
}
