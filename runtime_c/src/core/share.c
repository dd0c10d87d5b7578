// Values that cross a process boundary, values that become shared, deep copies.
//
// Purpose: nxd_transfer (isolation), nxd_share (module variables), nxd_clone (CLONE).
// Invariants: what is reachable from a shared object is shared, marked before it is published. After a transfer nothing mutable is
//   reachable from both sides. A deep copy keeps the shape: an object met twice is copied once, cycles too.
// Threads: the caller's process owns the plain objects reached. Shared mutable ones are read by rt_shallow_copy, under their lock.
// Rejected: deciding first whether everything is unique and then copying everything or nothing: two walks, and one shared leaf
//   would copy a whole tree. Each object is judged by itself: a unique one moves, a constant one is shared, another one is copied.
#include "nxd/hooks.h"
#include "nxd/object.h"
#include "nxd/table.h"

typedef struct share_item {
    nxd_object *object; // its words, owned, are yet to be judged
    bool copied;        // a copy: each of its counted words has a second reference, in the original
} share_item;

typedef struct copier {
    bool transfer; // else clone
    share_item *items;   // work list
    int64_t length;
    int64_t capacity;
    nxd_object **drops; // references to give up when all is copied
    int64_t drop_length;
    int64_t drop_capacity;
    rt_table copies; // original -> copy, for originals that can be met again
} copier;

static void *share_room(void *array, int64_t length, int64_t *capacity, int64_t size) {
    if (length < *capacity)
        return array;
    int64_t wanted = *capacity == 0 ? 32 : 2 * *capacity;
    array = rt_realloc(array, *capacity * size, wanted * size);
    *capacity = wanted;
    return array;
}

// ---- sharing --------------------------------------------------------------------------------------------------------------

void rt_share_object(nxd_object *object) {
    int32_t count = rt_count(object);
    if (count > 0)
        __atomic_store_n(&object->count, -(count & ~RT_BUFFERED), __ATOMIC_RELAXED);
}

static void share_object(nxd_object *root) {
    if (rt_count(root) <= 0)
        return;
    rt_share_object(root);
    if (!rt_type_has_children(rt_type_of(root)))
        return;
    rt_cursor *stack = NULL;
    int64_t depth = 0, capacity = 0;
    stack = share_room(stack, depth, &capacity, sizeof *stack);
    stack[depth++] = rt_cursor_at(root);
    while (depth != 0) {
        int64_t form;
        nxd_word *place = rt_cursor_next(&stack[depth - 1], &form);
        if (place == NULL || rt_cursor_done(&stack[depth - 1]))
            depth--;
        if (place == NULL)
            continue;
        nxd_object *child = rt_word_object(*place);
        if (rt_count(child) <= 0)
            continue;
        rt_share_object(child);
        if (rt_type_has_children(rt_type_of(child))) {
            stack = share_room(stack, depth, &capacity, sizeof *stack);
            stack[depth++] = rt_cursor_at(child);
        }
    }
    rt_free(stack, capacity * (int64_t)sizeof *stack);
}

void nxd_share(nxd_word value, int64_t type) {
    nxd_object *object = rt_counted(value, (int64_t)rt_type(type)->form);
    if (object != NULL)
        share_object(object);
}

// ---- copying ----------------------------------------------------------------------------------------------------------------

static void add_item(copier *c, nxd_object *object, bool copied) {
    if (!rt_type_has_children(rt_type_of(object)))
        return;
    c->items = share_room(c->items, c->length, &c->capacity, sizeof(share_item));
    c->items[c->length++] = (share_item){.object = object, .copied = copied};
}

static void drop_later(copier *c, nxd_object *object) {
    c->drops = share_room(c->drops, c->drop_length, &c->drop_capacity, sizeof(nxd_object *));
    c->drops[c->drop_length++] = object;
}

// Whether one object may serve both sides.
static bool is_common(const copier *c, const nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_INT: // boxes
    case NXD_KIND_FLOAT:
    case NXD_KIND_STRING:
    case NXD_KIND_ENUM:
    case NXD_KIND_CHANNEL:
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        return true;
    case NXD_KIND_FUNCTION:
        return !c->transfer || type->field_count == 0;
    default:
        return (type->flags & NXD_TYPE_DEEP_IMMUTABLE) != 0;
    }
}

// How a reference to an object came to us.
typedef enum source { BORROWED, MOVED, DUPED } source;

// Whether no second way leads to the object: it then needs no place in the table of copies.
static bool is_single(int32_t count, source from) {
    return count == (from == DUPED ? 2 : 1);
}

// The object's stand-in, owned. The reference given is consumed unless it is borrowed.
static nxd_object *share_convert(copier *c, nxd_object *object, source from) {
    int32_t count = rt_count(object);
    if (count == 0)
        return object;
    const nxd_type *type = rt_type_of(object);
    bool constant = is_common(c, object);
    if (c->transfer && from == MOVED && count == 1 && (!constant || !rt_type_has_children(type))) {
        add_item(c, object, false); // moves; its words are judged in their turn
        return object;
    }
    if (constant) {
        if (c->transfer)
            share_object(object);
        if (from == BORROWED)
            rt_dup(object);
        return object;
    }
    bool found = false;
    int64_t *known = is_single(count, from) ? NULL : rt_table_put(&c->copies, object, &found);
    nxd_object *copy;
    if (found) {
        copy = (nxd_object *)(uintptr_t)*known;
        rt_dup(copy);
    } else {
        copy = rt_shallow_copy(object);
        if (known != NULL)
            *known = (int64_t)(uintptr_t)copy;
        add_item(c, copy, true);
    }
    if (from != BORROWED) // later: the object may be met again
        drop_later(c, object);
    return copy;
}

static nxd_word share_run(copier *c, nxd_word value, int64_t form, source from) {
    nxd_object *root = rt_counted(value, form);
    if (root == NULL)
        return value;
    nxd_object *result = share_convert(c, root, from);
    while (c->length != 0) {
        share_item next = c->items[--c->length];
        int64_t place_form;
        rt_cursor cursor = rt_cursor_at(next.object);
        for (nxd_word *place; (place = rt_cursor_next(&cursor, &place_form)) != NULL;)
            *place = rt_ptr_word(share_convert(c, rt_word_object(*place), next.copied ? DUPED : MOVED));
    }
    for (int64_t i = 0; i < c->drop_length; i++)
        rt_drop(c->drops[i]);
    rt_free(c->items, c->capacity * (int64_t)sizeof(share_item));
    rt_free(c->drops, c->drop_capacity * (int64_t)sizeof(nxd_object *));
    rt_table_free(&c->copies);
    return rt_ptr_word(result);
}

NXD_OWNED nxd_word nxd_clone(nxd_word value, int64_t type) {
    copier c = {.transfer = false};
    return share_run(&c, value, (int64_t)rt_type(type)->form, BORROWED);
}

NXD_OWNED nxd_word nxd_transfer(NXD_TAKE nxd_word value, int64_t type) {
    copier c = {.transfer = true};
    return share_run(&c, value, (int64_t)rt_type(type)->form, MOVED);
}
