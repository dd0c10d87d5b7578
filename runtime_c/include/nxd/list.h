// Lists inside the runtime (data/list.c).
#ifndef NXD_LIST_H
#define NXD_LIST_H

#include "nxd/object.h"

static inline int64_t rt_list_element(const nxd_list *list) { // its descriptor number
    return rt_type_of(&list->head)->element;
}

static inline int64_t rt_list_form(const nxd_list *list) {
    return (int64_t)rt_type(rt_list_element(list))->form;
}

static inline nxd_word rt_list_load(const nxd_list *list, int64_t form, int64_t index) {
    return form == NXD_FORM_BOOL ? ((const uint8_t *)list->data)[index] : ((const nxd_word *)list->data)[index];
}

static inline void rt_list_store(nxd_list *list, int64_t form, int64_t index, nxd_word value) {
    if (form == NXD_FORM_BOOL)
        ((uint8_t *)list->data)[index] = (uint8_t)value;
    else
        ((nxd_word *)list->data)[index] = value;
}

// Adds to a list that only the caller knows.
static inline void rt_list_add(nxd_list *list, int64_t form, NXD_TAKE nxd_word value) {
    if (list->length == list->capacity)
        nxd_list_grow(list);
    rt_list_store(list, form, list->length++, value);
}

// Sorts words of a form in place, stable, with a second array of the same kind moved along (or NULL).
void rt_sort_words(nxd_word *keys, nxd_word *along, int64_t count, const nxd_type *type);

#endif
