// Reference counts and the release of dead objects.
//
// Purpose: dup and drop of what the inline code does not do itself, and freeing without recursion.
// Counts: above 0 plain: one process only, bit RT_BUFFERED set while a cycle buffer owns a reference; a buffered count of
//   exactly RT_BUFFERED is a dead shell whose contents are gone already. Below 0 shared: the magnitude is the count; at RT_STICKY
//   it sticks and the object leaks. 0 immortal, never written. A plain count would need 2^30 references (8 GiB of pointers)
//   to reach the flag.
// Threads: a plain count is touched by its process only (migration is ordered by the run queue). Shared: dup is relaxed, because
//   the caller's own reference keeps the object alive; drop is release, so that all uses come before the free, and acquires at the last.
// Rejected: recursion over children (user data is deep); a queue threaded through dead objects (the header has no room).
#include "nxd/object.h"

#include "nxd/cycles.h"
#include "nxd/hooks.h"

#include <string.h>

void nxd_dup(nxd_object *object) {
    int32_t count = rt_count(object);
    if (count > 0)
        object->count = count + 1;
    else if (count < 0 && count > RT_STICKY)
        __atomic_fetch_sub(&object->count, 1, __ATOMIC_RELAXED);
}

static bool unref_shared(nxd_object *object) {
    int32_t count = __atomic_load_n(&object->count, __ATOMIC_ACQUIRE);
    if (count == -1)
        return true; // ours is the only reference: nobody can make another
    if (count <= RT_STICKY)
        return false;
    if (__atomic_fetch_add(&object->count, 1, __ATOMIC_RELEASE) != -1)
        return false;
#if defined(__SANITIZE_THREAD__)
    (void)__atomic_load_n(&object->count, __ATOMIC_ACQUIRE); // TSan does not see fences
#else
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
    return true;
}

bool rt_unref(NXD_TAKE nxd_object *object) {
    int32_t count = rt_count(object);
    if (RT_LIKELY(count == 1))
        return true;
    if (count > 1) {
        if (RT_UNLIKELY((rt_type_of(object)->flags & NXD_TYPE_CYCLIC) != 0))
            return rt_cycles_unref(object);
        object->count = count - 1;
        return false;
    }
    return count < 0 && unref_shared(object);
}

void nxd_drop(NXD_TAKE nxd_object *object) {
    int32_t count = rt_count(object);
    bool cyclic = count > 1 && (rt_type_of(object)->flags & NXD_TYPE_CYCLIC) != 0;
    if (rt_unref(object)) {
        if (object->type == NXD_TYPE_STRING)
            rt_object_free_shell(object);
        else
            rt_release(object);
    }
    if (RT_UNLIKELY(cyclic)) // a candidate may have been added; the object itself may be gone
        rt_cycles_poll();
}

void nxd_dup_any(nxd_any value) {
    if (rt_any_is_object(value))
        rt_dup(rt_word_object(value));
}

void nxd_drop_any(NXD_TAKE nxd_any value) {
    if (rt_any_is_object(value))
        nxd_drop(rt_word_object(value));
}

void rt_dup_word(nxd_word word, int64_t form) {
    nxd_object *object = rt_counted(word, form);
    if (object != NULL)
        rt_dup(object);
}

void rt_drop_word(NXD_TAKE nxd_word word, int64_t form) {
    nxd_object *object = rt_counted(word, form);
    if (object != NULL)
        nxd_drop(object);
}

// ---- release -------------------------------------------------------------------------------------------------------------

enum { INLINE_DEAD = 32 };

typedef struct dead { // an object whose last reference is gone
    nxd_object *object;
    int64_t index; // lists and maps: of the next word to look at
} dead;

struct rt_pending {
    dead *items; // still to be released, the next one last
    int64_t depth;
    int64_t capacity;
    dead first[INLINE_DEAD];
};

static RT_COLD void grow_pending(rt_pending *pending) {
    int64_t old = pending->capacity * (int64_t)sizeof(dead);
    if (pending->items == pending->first) {
        pending->items = rt_alloc(2 * old);
        memcpy(pending->items, pending->first, (size_t)old);
    } else {
        pending->items = rt_realloc(pending->items, old, 2 * old);
    }
    pending->capacity *= 2;
}

static inline void push_dead(rt_pending *pending, nxd_object *object) {
    if (object->type == NXD_TYPE_STRING) {
        rt_object_free_shell(object);
        return;
    }
    if (RT_UNLIKELY(pending->depth == pending->capacity))
        grow_pending(pending);
    pending->items[pending->depth++] = (dead){object, 0};
}

// For the hooks. Only noted here: a channel in a channel in a channel must not recurse through them.
void rt_pending_drop(rt_pending *pending, nxd_word word, int64_t form) {
    nxd_object *object = rt_counted(word, form);
    if (object != NULL && rt_unref(object))
        push_dead(pending, object);
}

// Frees a block of known size, unless a cycle buffer still refers to it.
static inline void free_block(nxd_object *object, int64_t size) {
    if (RT_UNLIKELY(rt_count(object) > 1))
        rt_cycles_free_shell(object);
    else
        rt_object_free(object, size);
}

// A struct's words are few: all dead children go to the list at once, and the shell is free. A chain never makes the list longer.
static void release_fields(rt_pending *pending, nxd_object *object, const nxd_field *fields, int64_t count, const nxd_word *words) {
    for (int64_t i = 0; i < count; i++) {
        nxd_object *child = rt_counted(words[i], (int64_t)fields[i].form);
        if (child != NULL && rt_unref(child))
            push_dead(pending, child);
    }
    free_block(object, (int64_t)((const char *)(words + count) - (const char *)object));
}

// A list or map may be long: its words are looked at one after the other until one of them has died.
static void release_next(rt_pending *pending) {
    dead *top = &pending->items[pending->depth - 1];
    rt_cursor cursor = rt_cursor_at(top->object);
    cursor.index = top->index;
    int64_t form;
    for (nxd_word *place; (place = rt_cursor_next(&cursor, &form)) != NULL;) {
        nxd_object *child = rt_word_object(*place);
        if (!rt_unref(child))
            continue;
        top->index = cursor.index;
        if (child->type == NXD_TYPE_STRING) {
            rt_object_free_shell(child);
            continue;
        }
        if (rt_cursor_done(&cursor)) { // chains of lists do not make the pending list longer either
            nxd_object *done = top->object;
            pending->depth--;
            rt_cycles_free_shell(done);
        }
        push_dead(pending, child);
        return;
    }
    nxd_object *done = top->object;
    pending->depth--;
    rt_cycles_free_shell(done);
}

static void release_one(rt_pending *pending, nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_LIST:
    case NXD_KIND_MAP:
        release_next(pending);
        return;
    default:
        pending->depth--;
    }
    switch (type->kind) {
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_CELL:
    case NXD_KIND_ENV:
        release_fields(pending, object, type->fields, type->field_count, ((nxd_struct *)object)->fields);
        return;
    case NXD_KIND_FUNCTION:
        release_fields(pending, object, type->fields, type->field_count, ((nxd_closure *)object)->captures);
        return;
    case NXD_KIND_UNION: {
        const nxd_variant *variant = &type->variants[((nxd_union *)object)->tag];
        release_fields(pending, object, variant->fields, variant->field_count, ((nxd_union *)object)->payload);
        return;
    }
    case NXD_KIND_CHANNEL:
        rt_hook_channel_destroy((nxd_channel *)object, pending);
        return;
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        rt_hook_handle_destroy((nxd_handle *)object, pending);
        return;
    default:
        rt_cycles_free_shell(object);
    }
}

void rt_release(nxd_object *object) {
    rt_pending pending = {.depth = 0, .capacity = INLINE_DEAD};
    pending.items = pending.first;
    push_dead(&pending, object);
    while (pending.depth != 0)
        release_one(&pending, pending.items[pending.depth - 1].object);
    if (pending.items != pending.first)
        rt_free(pending.items, pending.capacity * (int64_t)sizeof(dead));
}
