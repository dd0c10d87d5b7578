// Single words in shared places: fields, module variables, and the SETADD of all places.
//
// Purpose: reads, writes and sums that are atomic where other processes may use the same place.
// Invariants: a counted word is read and counted under the lock of what holds it, so that a racing writer cannot free it in between; what a
//   write gives up is dropped after the lock.
// Threads: any. A field is guarded by its object's lock, a module variable by the lock of its slot's address.
#include "nxd/error.h"
#include "nxd/object.h"

// Adds to a float, or appends to a string; under the lock where the place is shared. What remains to be dropped, or NULL.
nxd_object *rt_word_add(nxd_word *place, nxd_word more, int64_t type, bool shared) {
    if (rt_type(type)->form == NXD_FORM_FLOAT) {
        *place = rt_float_word(rt_word_float(*place) + rt_word_float(more));
        return NULL;
    }
    nxd_string *old = (nxd_string *)rt_word_object(*place), *text = (nxd_string *)rt_word_object(more);
    if (!shared) {
        *place = rt_ptr_word(nxd_append_string(old, text));
        return NULL;
    }
    bool alone = __atomic_load_n(&old->head.count, __ATOMIC_ACQUIRE) == -1 && old != text;
    if (alone) // only the place refers to it, and the lock is ours: append in its memory
        __atomic_store_n(&old->head.count, 1, __ATOMIC_RELAXED);
    nxd_string *sum = alone ? nxd_append_string(old, text) : nxd_string_concat(old, text);
    nxd_share(rt_ptr_word(sum), NXD_TYPE_STRING);
    *place = rt_ptr_word(sum);
    return alone ? NULL : &old->head;
}

static int64_t field_type(const nxd_struct *object, int64_t field) {
    return rt_type_of(&object->head)->fields[field].type;
}

static int64_t field_form(const nxd_struct *object, int64_t field) {
    return rt_type_of(&object->head)->fields[field].form;
}

NXD_OWNED nxd_word nxd_struct_get(nxd_struct *object, int64_t field) {
    int64_t form = field_form(object, field);
    bool shared = rt_is_shared(&object->head);
    if (shared)
        rt_lock(object);
    nxd_word value = object->fields[field];
    rt_dup_word(value, form);
    if (shared)
        rt_unlock(object);
    return value;
}

void nxd_struct_set(nxd_struct *object, int64_t field, NXD_TAKE nxd_word value) {
    bool shared = rt_is_shared(&object->head);
    if (shared) {
        nxd_share(value, field_type(object, field));
        rt_lock(object);
    }
    nxd_word old = object->fields[field];
    object->fields[field] = value;
    if (shared)
        rt_unlock(object);
    rt_drop_word(old, field_form(object, field));
}

static nxd_error *add_int(int64_t *place, int64_t delta, const void *lock) {
    if (lock != NULL)
        rt_lock(lock);
    int64_t sum;
    bool overflow = __builtin_add_overflow(*place, delta, &sum);
    if (!overflow)
        *place = sum;
    if (lock != NULL)
        rt_unlock(lock);
    return overflow ? nxd_error_overflow() : NULL;
}

static void add(nxd_word *place, nxd_word more, int64_t type, const void *lock) {
    if (lock != NULL)
        rt_lock(lock);
    nxd_object *gone = rt_word_add(place, more, type, lock != NULL);
    if (lock != NULL)
        rt_unlock(lock);
    if (gone != NULL)
        rt_drop(gone);
}

nxd_error *nxd_struct_add_int(nxd_struct *object, int64_t field, int64_t delta) {
    return add_int((int64_t *)&object->fields[field], delta, rt_is_shared(&object->head) ? object : NULL);
}

nxd_error *nxd_struct_add(nxd_struct *object, int64_t field, nxd_word more) {
    add(&object->fields[field], more, field_type(object, field), rt_is_shared(&object->head) ? object : NULL);
    return NULL;
}

NXD_OWNED nxd_word nxd_global_get(nxd_word *slot, int64_t type) {
    rt_lock(slot);
    nxd_word value = *slot;
    rt_dup_word(value, (int64_t)rt_type(type)->form);
    rt_unlock(slot);
    return value;
}

void nxd_global_set(nxd_word *slot, NXD_TAKE nxd_word value, int64_t type) {
    nxd_share(value, type);
    rt_lock(slot);
    nxd_word old = *slot;
    *slot = value;
    rt_unlock(slot);
    rt_drop_word(old, (int64_t)rt_type(type)->form);
}

nxd_error *nxd_global_add_int(nxd_word *slot, int64_t delta) {
    return add_int((int64_t *)slot, delta, slot);
}

nxd_error *nxd_global_add(nxd_word *slot, nxd_word more, int64_t type) {
    add(slot, more, type, slot);
    return NULL;
}
