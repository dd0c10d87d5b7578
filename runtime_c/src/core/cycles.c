// Collection of garbage cycles by trial deletion, one process at a time.
//
// Purpose: counting alone never frees objects that reach each other. An object that lost a reference and lives on may be the last
//   trace of such a cycle: it goes to its process's buffer, and when enough have come together, what they reach is examined
//   (the idea: D. Bacon, V. Rajan, Concurrent Cycle Collection in Reference Counted Systems, ECOOP 2001, the synchronous algorithm;
//   the trial counts are in a table beside the objects instead of in their headers).
// Invariants: a buffered object has RT_BUFFERED in its count and the buffer owns one of its references, so that it cannot be freed, or
//   moved to another process, under the buffer's eyes. Only types flagged CYCLIC take part: all objects on a cycle have such types.
//   Nothing is collected inside rt_release, where counts and contents disagree.
// Threads: a buffer is used by its process only. Shared objects are never examined; they merely lose the buffer's reference.
// Rejected: buffers per worker: a process may move to another worker while its objects wait in the first one's buffer.
#include "nxd/cycles.h"

#include "nxd/table.h"

#include <string.h>

#ifdef NXD_TESTING
enum { FIRST_THRESHOLD = 8 };
#else
enum { FIRST_THRESHOLD = 1024 };
#endif

typedef struct node {
    nxd_object *object;
    int64_t internal; // references found: from other nodes, and the buffer's
    bool live;        // something outside refers to it, directly or not
} node;

typedef struct graph {
    node *nodes;
    int64_t length;
    int64_t capacity;
    rt_table index; // object -> number of its node + 1
} graph;

static int64_t plain_count(const nxd_object *object) {
    return rt_count(object) & ~RT_BUFFERED;
}

static bool takes_part(const nxd_object *object) {
    return rt_count(object) > 0 && (rt_type_of(object)->flags & NXD_TYPE_CYCLIC) != 0;
}

static void *cycles_grown(void *array, int64_t *capacity, int64_t size) {
    int64_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
    array = rt_realloc(array, *capacity * size, wanted * size);
    *capacity = wanted;
    return array;
}

bool rt_cycles_unref(NXD_TAKE nxd_object *object) {
    int32_t count = rt_count(object);
    if ((count & RT_BUFFERED) != 0) {
        object->count = count - 1;
        return count - 1 == (RT_BUFFERED | 1);
    }
    rt_cycle_buffer *buffer = rt_hook_cycle_buffer();
    if (buffer->length == buffer->capacity)
        buffer->items = cycles_grown(buffer->items, &buffer->capacity, sizeof(nxd_object *));
    object->count = count | RT_BUFFERED; // the reference is the buffer's now
    buffer->items[buffer->length++] = object;
    return false;
}

void rt_cycles_free_shell(nxd_object *object) {
    int32_t count = rt_count(object);
    if (count > 0 && (count & RT_BUFFERED) != 0)
        object->count = RT_BUFFERED; // freed when the buffer comes to it
    else
        rt_object_free_shell(object);
}

static node *node_of(graph *g, nxd_object *object) {
    bool found;
    int64_t *number = rt_table_put(&g->index, object, &found);
    if (!found) {
        if (g->length == g->capacity)
            g->nodes = cycles_grown(g->nodes, &g->capacity, sizeof(node));
        g->nodes[g->length++] = (node){.object = object};
        *number = g->length;
    }
    return &g->nodes[*number - 1];
}

// Makes nodes of the buffered objects; drops what needs no examination.
static void take_roots(graph *g, nxd_object **items, int64_t length) {
    for (int64_t i = 0; i < length; i++) {
        nxd_object *object = items[i];
        if (rt_count(object) == RT_BUFFERED)
            rt_object_free_shell(object);
        else if (rt_count(object) < 0)
            rt_drop(object);
        else
            node_of(g, object)->internal++;
    }
}

static void count_references(graph *g) {
    for (int64_t i = 0; i < g->length; i++) {
        int64_t form;
        rt_cursor cursor = rt_cursor_at(g->nodes[i].object);
        for (nxd_word *place; (place = rt_cursor_next(&cursor, &form)) != NULL;) {
            nxd_object *child = rt_word_object(*place);
            if (takes_part(child))
                node_of(g, child)->internal++;
        }
    }
}

static void mark_live(graph *g) {
    int64_t *stack = rt_alloc(rt_max(g->length, 1) * 8);
    int64_t depth = 0;
    for (int64_t i = 0; i < g->length; i++)
        if (plain_count(g->nodes[i].object) > g->nodes[i].internal) {
            g->nodes[i].live = true;
            stack[depth++] = i;
        }
    while (depth != 0) {
        int64_t form;
        rt_cursor cursor = rt_cursor_at(g->nodes[stack[--depth]].object);
        for (nxd_word *place; (place = rt_cursor_next(&cursor, &form)) != NULL;) {
            int64_t *number = rt_table_find(&g->index, rt_word_object(*place));
            if (number != NULL && !g->nodes[*number - 1].live) {
                g->nodes[*number - 1].live = true;
                stack[depth++] = *number - 1;
            }
        }
    }
    rt_free(stack, rt_max(g->length, 1) * 8);
}

// Frees the dead nodes. A count of 0 makes the drops among them do nothing. Gives how many there were.
static int64_t free_dead(graph *g) {
    int64_t dead = 0;
    for (int64_t i = 0; i < g->length; i++) {
        nxd_object *object = g->nodes[i].object;
        if (!g->nodes[i].live) {
            object->count = 0;
            dead++;
        } else if ((object->count & RT_BUFFERED) != 0) {
            object->count = (object->count & ~RT_BUFFERED) - 1;
        }
    }
    for (int64_t i = 0; i < g->length; i++) {
        if (g->nodes[i].live)
            continue;
        int64_t form;
        rt_cursor cursor = rt_cursor_at(g->nodes[i].object);
        for (nxd_word *place; (place = rt_cursor_next(&cursor, &form)) != NULL;) {
            nxd_object *child = rt_word_object(*place);
            if (rt_unref(child))
                rt_release(child);
        }
    }
    for (int64_t i = 0; i < g->length; i++)
        if (!g->nodes[i].live)
            rt_object_free_shell(g->nodes[i].object);
    return dead;
}

void rt_cycles_collect(rt_cycle_buffer *buffer) {
    if (buffer->collecting || buffer->length == 0)
        return;
    buffer->collecting = true;
    nxd_object **items = buffer->items;
    int64_t length = buffer->length, capacity = buffer->capacity;
    buffer->items = NULL;
    buffer->length = buffer->capacity = 0;
    graph g = {0};
    take_roots(&g, items, length);
    rt_free(items, capacity * (int64_t)sizeof(nxd_object *));
    count_references(&g);
    mark_live(&g);
    int64_t live = g.length - free_dead(&g);
    // What lived on was examined in vain: wait until as many candidates have come, so that the cost stays linear.
    buffer->threshold = rt_max(FIRST_THRESHOLD, live);
    rt_free(g.nodes, g.capacity * (int64_t)sizeof(node));
    rt_table_free(&g.index);
    buffer->collecting = false;
}

void rt_cycles_poll(void) {
    rt_cycle_buffer *buffer = rt_hook_cycle_buffer();
    if (RT_UNLIKELY(buffer->length >= rt_max(buffer->threshold, FIRST_THRESHOLD)))
        rt_cycles_collect(buffer);
}

void rt_cycles_end(rt_cycle_buffer *buffer) {
    while (buffer->length != 0)
        rt_cycles_collect(buffer);
    rt_free(buffer->items, buffer->capacity * (int64_t)sizeof(nxd_object *));
    *buffer = (rt_cycle_buffer){0};
}
