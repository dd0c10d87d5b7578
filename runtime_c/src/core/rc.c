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
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#if defined(__SANITIZE_THREAD__)
    (void)__atomic_load_n(&object->count, __ATOMIC_ACQUIRE); // TSan does not see fences
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

enum { INLINE_CURSORS = 24, NOT_BEGUN = -1 };

struct rt_pending {
    rt_cursor *cursors; // objects being released, the innermost last
    int64_t depth;
    int64_t capacity;
    rt_cursor first[INLINE_CURSORS];
};

static rt_cursor *push(rt_pending *pending) {
    if (RT_UNLIKELY(pending->depth == pending->capacity)) {
        int64_t old = pending->capacity * (int64_t)sizeof(rt_cursor);
        if (pending->cursors == pending->first) {
            pending->cursors = rt_alloc(2 * old);
            memcpy(pending->cursors, pending->first, (size_t)old);
        } else {
            pending->cursors = rt_realloc(pending->cursors, old, 2 * old);
        }
        pending->capacity *= 2;
    }
    return &pending->cursors[pending->depth++];
}

// The object's count has reached its end.
static void begin(rt_pending *pending, nxd_object *object) {
    switch (rt_type_of(object)->kind) {
    case NXD_KIND_CHANNEL:
        rt_hook_channel_destroy((nxd_channel *)object, pending);
        return;
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        rt_hook_handle_destroy((nxd_handle *)object, pending);
        return;
    default:
        break;
    }
    rt_cursor cursor = rt_cursor_at(object);
    if (rt_cursor_done(&cursor))
        rt_cycles_free_shell(object);
    else
        *push(pending) = cursor;
}

// Only noted here: a channel in a channel in a channel must not recurse through the hooks.
void rt_pending_drop(rt_pending *pending, nxd_word word, int64_t form) {
    nxd_object *object = rt_counted(word, form);
    if (object != NULL && rt_unref(object))
        *push(pending) = (rt_cursor){.object = object, .count = NOT_BEGUN};
}

void rt_release(nxd_object *object) {
    rt_pending pending = {.depth = 0, .capacity = INLINE_CURSORS};
    pending.cursors = pending.first;
    begin(&pending, object);
    while (pending.depth != 0) {
        rt_cursor *top = &pending.cursors[pending.depth - 1];
        if (top->count == NOT_BEGUN) {
            pending.depth--;
            begin(&pending, top->object);
            continue;
        }
        int64_t form;
        nxd_word *place = rt_cursor_next(top, &form);
        nxd_object *child = place == NULL ? NULL : rt_word_object(*place);
        if (rt_cursor_done(top)) { // a chain never gets deeper than one cursor
            nxd_object *done = top->object;
            pending.depth--;
            rt_cycles_free_shell(done);
        }
        if (child != NULL && rt_unref(child))
            begin(&pending, child);
    }
    if (pending.cursors != pending.first)
        rt_free(pending.cursors, pending.capacity * (int64_t)sizeof(rt_cursor));
}
