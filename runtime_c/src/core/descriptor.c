// Reading objects through their descriptors: children, shallow copies.
//
// Purpose: one way to walk any object, used by release, share, transfer, the cycle collector.
// Invariants: a cursor stops at counted words only, and after each step its index is already at the next one, so that
//   rt_cursor_done tells truly whether more follows: release of a chain then needs no stack.
// Threads: the caller owns the object, or it is unreachable, or (shallow copy) it is locked here while shared.
#include "nxd/object.h"

#include <string.h>

static void skip_uncounted(rt_cursor *cursor) {
    while (cursor->index < cursor->count) {
        int64_t form = (int64_t)cursor->fields[cursor->index].form;
        if (form == NXD_FORM_PTR)
            return;
        if (form == NXD_FORM_ANY && rt_any_is_object(cursor->words[cursor->index]))
            return;
        cursor->index++;
    }
}

static rt_cursor fields_cursor(nxd_object *object, const nxd_field *fields, int64_t count, nxd_word *words) {
    rt_cursor cursor = {.object = object, .fields = fields, .words = words, .index = 0, .count = count};
    skip_uncounted(&cursor);
    return cursor;
}

rt_cursor rt_cursor_at(nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    rt_cursor none = {.object = object};
    switch (type->kind) {
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_CELL:
    case NXD_KIND_ENV:
        return fields_cursor(object, type->fields, type->field_count, ((nxd_struct *)object)->fields);
    case NXD_KIND_FUNCTION:
        return fields_cursor(object, type->fields, type->field_count, ((nxd_closure *)object)->captures);
    case NXD_KIND_UNION: {
        const nxd_variant *variant = &type->variants[((nxd_union *)object)->tag];
        return fields_cursor(object, variant->fields, variant->field_count, ((nxd_union *)object)->payload);
    }
    case NXD_KIND_LIST: {
        nxd_list *list = (nxd_list *)object;
        none.form = (int32_t)rt_type(type->element)->form;
        none.words = list->data;
        none.count = rt_form_is_counted(none.form) ? list->length : 0;
        return none;
    }
    case NXD_KIND_MAP:
        none.count = rt_map_word_count(object);
        return none;
    default:
        return none;
    }
}

nxd_word *rt_cursor_next(rt_cursor *cursor, int64_t *form) {
    while (cursor->index < cursor->count) {
        int64_t index = cursor->index++;
        if (cursor->fields != NULL) {
            *form = (int64_t)cursor->fields[index].form;
            skip_uncounted(cursor);
            return &cursor->words[index];
        }
        nxd_word *place;
        if (cursor->words != NULL) {
            place = &cursor->words[index];
            *form = cursor->form;
        } else {
            place = rt_map_word_at(cursor->object, index, form);
        }
        if (place != NULL && rt_counted(*place, *form) != NULL)
            return place;
    }
    return NULL;
}

bool rt_type_has_children(const nxd_type *type) {
    switch (type->kind) {
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_CELL:
    case NXD_KIND_ENV:
    case NXD_KIND_FUNCTION:
        return type->field_count != 0;
    case NXD_KIND_UNION:
    case NXD_KIND_MAP:
        return true;
    case NXD_KIND_LIST:
        return rt_form_is_counted(rt_type(type->element)->form);
    default:
        return false;
    }
}

static nxd_object *copy_list(nxd_list *list) {
    int64_t size = rt_element_size(rt_type(rt_type_of(&list->head)->element));
    nxd_list *copy = (nxd_list *)rt_object_new(sizeof(nxd_list), list->head.type);
    copy->length = list->length;
    copy->capacity = list->length;
    copy->data = list->length == 0 ? NULL : rt_alloc(list->length * size);
    if (list->length != 0)
        memcpy(copy->data, list->data, (size_t)(list->length * size));
    return &copy->head;
}

static nxd_object *copy_block(nxd_object *object) {
    int64_t size = rt_object_size(object);
    nxd_object *copy = rt_object_new(size, object->type);
    memcpy(copy + 1, object + 1, (size_t)size - sizeof(nxd_object));
    return copy;
}

NXD_OWNED nxd_object *rt_shallow_copy(nxd_object *object) {
    bool shared = rt_is_shared(object);
    if (shared)
        rt_lock(object);
    nxd_object *copy;
    switch (rt_type_of(object)->kind) {
    case NXD_KIND_LIST:
        copy = copy_list((nxd_list *)object);
        break;
    case NXD_KIND_MAP:
        copy = rt_map_shallow_copy(object);
        break;
    default:
        copy = copy_block(object);
    }
    int64_t form;
    rt_cursor cursor = rt_cursor_at(copy);
    for (nxd_word *place; (place = rt_cursor_next(&cursor, &form)) != NULL;)
        rt_dup(rt_word_object(*place));
    if (shared)
        rt_unlock(object);
    return copy;
}

NXD_OWNED nxd_object *rt_snapshot(nxd_object *object) {
    if (rt_is_shared(object) && (rt_type_of(object)->flags & NXD_TYPE_MUTABLE) != 0)
        return rt_shallow_copy(object);
    rt_dup(object);
    return object;
}
