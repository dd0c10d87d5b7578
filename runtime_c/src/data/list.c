// Lists: growing arrays of words (bools: of bytes).
//
// Purpose: the complete operations, right for shared lists too; generated code works on data directly where a list cannot be shared.
// Invariants: 0 <= length <= capacity; data has capacity elements and is NULL when that is 0; counted elements are owned by the list.
// Threads: a shared list (count < 0) is changed and read under its lock only; what is stored in it is marked shared before. Operations that read
//   the whole list work on a snapshot. Nothing is dropped, compared or formatted while the lock is held.
#include "nxd/list.h"

#include "nxd/error.h"
#include "nxd/string.h"

#include <string.h>

enum { LIST_FIRST_CAPACITY = 4, DOUBLING_LIMIT = 1 << 20, GROWTH_LEAST = 1024 };

NXD_OWNED nxd_list *nxd_list_new(int64_t type, int64_t capacity) {
    nxd_list *list = (nxd_list *)rt_object_new(sizeof(nxd_list), type);
    list->length = 0;
    list->capacity = capacity;
    list->data = capacity == 0 ? NULL : rt_alloc(capacity * rt_element_size(rt_type(rt_type(type)->element)));
    return list;
}

static void grow_to(nxd_list *list, int64_t capacity) {
    int64_t size = rt_element_size(rt_type(rt_list_element(list)));
    list->data = rt_realloc(list->data, list->capacity * size, capacity * size);
    list->capacity = capacity;
}

void nxd_list_grow(nxd_list *list) {
    int64_t more = list->capacity < DOUBLING_LIMIT ? list->capacity : list->capacity / 2;
    int64_t wanted = rt_max(list->capacity + more, LIST_FIRST_CAPACITY);
    if (RT_UNLIKELY(wanted > DOUBLING_LIMIT / 8))
        wanted = rt_alloc_growth(wanted * 8, (list->capacity + GROWTH_LEAST) * 8) / 8; // of bools an eighth is used
    grow_to(list, wanted);
}

static inline bool list_lock_shared(nxd_list *list) {
    bool shared = rt_is_shared(&list->head);
    if (RT_UNLIKELY(shared))
        rt_lock(list);
    return shared;
}

static inline void list_unlock_if(nxd_list *list, bool shared) {
    if (RT_UNLIKELY(shared))
        rt_unlock(list);
}

// Before a value goes into the list.
static inline void prepare(nxd_list *list, nxd_word value) {
    if (RT_UNLIKELY(rt_is_shared(&list->head)))
        nxd_share(value, rt_list_element(list));
}

static inline bool outside(int64_t index, int64_t length) {
    return (uint64_t)index >= (uint64_t)length;
}

int64_t nxd_list_length(nxd_list *list) {
    return __atomic_load_n(&list->length, __ATOMIC_RELAXED);
}

nxd_rw nxd_list_get(nxd_list *list, int64_t index) {
    int64_t form = rt_list_form(list);
    bool shared = list_lock_shared(list);
    int64_t length = list->length;
    nxd_word value = 0;
    if (!outside(index, length)) {
        value = rt_list_load(list, form, index);
        rt_dup_word(value, form);
    }
    list_unlock_if(list, shared);
    return outside(index, length) ? rt_fail(nxd_error_index(index, length)) : rt_ok(value);
}

nxd_error *nxd_list_set(nxd_list *list, int64_t index, NXD_TAKE nxd_word value) {
    int64_t form = rt_list_form(list);
    prepare(list, value);
    bool shared = list_lock_shared(list);
    int64_t length = list->length;
    nxd_word old = value; // what is given up: the old element, or the value itself
    if (!outside(index, length)) {
        old = rt_list_load(list, form, index);
        rt_list_store(list, form, index, value);
    }
    list_unlock_if(list, shared);
    rt_drop_word(old, form);
    return outside(index, length) ? nxd_error_index(index, length) : NULL;
}

void nxd_list_push(nxd_list *list, NXD_TAKE nxd_word value) {
    int64_t form = rt_list_form(list);
    prepare(list, value);
    bool shared = list_lock_shared(list);
    if (list->length == list->capacity)
        nxd_list_grow(list);
    rt_list_store(list, form, list->length, value);
    __atomic_store_n(&list->length, list->length + 1, __ATOMIC_RELAXED);
    list_unlock_if(list, shared);
}

static void move_elements(nxd_list *list, int64_t to, int64_t from, int64_t count) {
    int64_t size = rt_element_size(rt_type(rt_list_element(list)));
    if (count != 0)
        memmove((char *)list->data + to * size, (char *)list->data + from * size, (size_t)(count * size));
}

static void set_length(nxd_list *list, int64_t length) {
    __atomic_store_n(&list->length, length, __ATOMIC_RELAXED);
}

NXD_OWNED nxd_error *nxd_list_insert(nxd_list *list, int64_t index, NXD_TAKE nxd_word value) {
    int64_t form = rt_list_form(list);
    prepare(list, value);
    bool shared = list_lock_shared(list);
    int64_t length = list->length;
    bool fits = index >= 0 && index <= length;
    if (fits) {
        if (length == list->capacity)
            nxd_list_grow(list);
        move_elements(list, index + 1, index, length - index);
        rt_list_store(list, form, index, value);
        set_length(list, length + 1);
    }
    list_unlock_if(list, shared);
    if (fits)
        return NULL;
    rt_drop_word(value, form);
    return nxd_error_index(index, length);
}

// Takes the element at `index` out; counted from the end when negative.
static nxd_rw take_out(nxd_list *list, int64_t index) {
    int64_t form = rt_list_form(list);
    bool shared = list_lock_shared(list);
    int64_t length = list->length;
    int64_t place = index < 0 ? length + index : index;
    nxd_word value = 0;
    bool fits = !outside(place, length);
    if (fits) {
        value = rt_list_load(list, form, place);
        move_elements(list, place, place + 1, length - place - 1);
        set_length(list, length - 1);
    }
    list_unlock_if(list, shared);
    return fits ? rt_ok(value) : rt_fail(nxd_error_index(index, length));
}

NXD_OWNED nxd_error *nxd_list_remove_at(nxd_list *list, int64_t index) {
    nxd_rw taken = index < 0 ? rt_fail(nxd_error_index(index, nxd_list_length(list))) : take_out(list, index);
    if (taken.error == NULL)
        rt_drop_word(taken.value, rt_list_form(list));
    return taken.error;
}

static nxd_rw empty_error(void) {
    return rt_fail(rt_error_format(NXD_E1002, "the list is empty"));
}

nxd_rw nxd_list_pop(nxd_list *list) {
    nxd_rw taken = take_out(list, -1);
    if (taken.error == NULL)
        return taken;
    nxd_error_drop(taken.error);
    return empty_error();
}

void nxd_list_truncate(nxd_list *list, int64_t length) {
    int64_t form = rt_list_form(list);
    for (;;) {
        bool shared = list_lock_shared(list);
        bool longer = list->length > length;
        nxd_word last = 0;
        if (longer) {
            last = rt_list_load(list, form, list->length - 1);
            set_length(list, list->length - 1);
        }
        list_unlock_if(list, shared);
        if (!longer)
            return;
        rt_drop_word(last, form);
    }
}

// REMOVE L WHERE: the list gets the elements of another one, which nobody else holds, in one step.
void nxd_list_replace(nxd_list *list, NXD_TAKE nxd_list *items) {
    if (rt_is_shared(&list->head))
        nxd_share(rt_ptr_word(items), list->head.type);
    bool shared = list_lock_shared(list);
    nxd_list old = *list;
    list->data = items->data;
    list->capacity = items->capacity;
    set_length(list, items->length);
    items->data = old.data;
    items->capacity = old.capacity;
    items->length = old.length;
    list_unlock_if(list, shared);
    rt_drop(&items->head);
}

// ---- SETADD on an element -----------------------------------------------------------------------------------------------------------

nxd_error *nxd_list_add_int(nxd_list *list, int64_t index, int64_t delta) {
    bool shared = list_lock_shared(list);
    int64_t length = list->length, sum = 0;
    bool fits = !outside(index, length), overflow = false;
    if (fits) {
        int64_t *place = (int64_t *)list->data + index;
        overflow = __builtin_add_overflow(*place, delta, &sum);
        if (!overflow)
            *place = sum;
    }
    list_unlock_if(list, shared);
    if (!fits)
        return nxd_error_index(index, length);
    return overflow ? nxd_error_overflow() : NULL;
}

nxd_error *nxd_list_add(nxd_list *list, int64_t index, nxd_word more) {
    bool shared = list_lock_shared(list);
    int64_t length = list->length;
    if (outside(index, length)) {
        list_unlock_if(list, shared);
        return nxd_error_index(index, length);
    }
    nxd_object *gone = rt_word_add((nxd_word *)list->data + index, more, rt_list_element(list), shared);
    list_unlock_if(list, shared);
    if (gone != NULL)
        rt_drop(gone);
    return NULL;
}

// ---- reading the whole list ------------------------------------------------------------------------------------------------------------

static nxd_list *snapshot(nxd_list *list) {
    return (nxd_list *)rt_snapshot(&list->head);
}

// A new list of the elements from `from` up to `to` of a list that does not change.
static nxd_list *copy_range(const nxd_list *list, int64_t from, int64_t to) {
    nxd_list *copy = nxd_list_new(list->head.type, to - from);
    int64_t form = rt_list_form(list), size = form == NXD_FORM_BOOL ? 1 : 8;
    copy->length = to - from;
    if (to > from)
        memcpy(copy->data, (const char *)list->data + from * size, (size_t)((to - from) * size));
    if (rt_form_is_counted(form))
        for (int64_t i = 0; i < copy->length; i++)
            rt_dup_word(((nxd_word *)copy->data)[i], form);
    return copy;
}

nxd_rw nxd_list_head(nxd_list *list) {
    if (nxd_list_length(list) == 0)
        return empty_error();
    return nxd_list_get(list, 0);
}

nxd_rw nxd_list_slice(nxd_list *list, int64_t from, int64_t to) {
    nxd_list *seen = snapshot(list);
    nxd_rw result;
    if (from < 0 || from > seen->length)
        result = rt_fail(nxd_error_index(from, seen->length));
    else if (to < from || to > seen->length)
        result = rt_fail(nxd_error_index(to, seen->length));
    else
        result = rt_ok(rt_ptr_word(copy_range(seen, from, to)));
    rt_drop(&seen->head);
    return result;
}

nxd_rw nxd_list_tail(nxd_list *list) {
    nxd_list *seen = snapshot(list);
    nxd_rw result = seen->length == 0 ? empty_error() : rt_ok(rt_ptr_word(copy_range(seen, 1, seen->length)));
    rt_drop(&seen->head);
    return result;
}

NXD_OWNED nxd_list *nxd_list_concat(nxd_list *a, nxd_list *b) {
    nxd_list *first = snapshot(a), *second = snapshot(b);
    int64_t form = rt_list_form(first), size = form == NXD_FORM_BOOL ? 1 : 8;
    nxd_list *joined = nxd_list_new(first->head.type, first->length + second->length);
    joined->length = joined->capacity;
    if (first->length != 0)
        memcpy(joined->data, first->data, (size_t)(first->length * size));
    if (second->length != 0)
        memcpy((char *)joined->data + first->length * size, second->data, (size_t)(second->length * size));
    if (rt_form_is_counted(form))
        for (int64_t i = 0; i < joined->length; i++)
            rt_dup_word(((nxd_word *)joined->data)[i], form);
    rt_drop(&first->head);
    rt_drop(&second->head);
    return joined;
}

NXD_OWNED nxd_list *nxd_list_reverse(nxd_list *list) {
    nxd_list *seen = snapshot(list);
    nxd_list *copy = copy_range(seen, 0, seen->length);
    rt_drop(&seen->head);
    int64_t form = rt_list_form(copy);
    for (int64_t low = 0, high = copy->length - 1; low < high; low++, high--) {
        nxd_word held = rt_list_load(copy, form, low);
        rt_list_store(copy, form, low, rt_list_load(copy, form, high));
        rt_list_store(copy, form, high, held);
    }
    return copy;
}

nxd_rw nxd_list_range(int64_t from, int64_t to) {
    int64_t count;
    if (to <= from)
        return rt_ok(rt_ptr_word(nxd_list_new(NXD_TYPE_LIST_INT, 0)));
    if (__builtin_sub_overflow(to, from, &count) || count > INT64_C(1) << 40 ||
        !rt_alloc_fits(count * 8))
        return rt_fail(nxd_error_new(NXD_E1009, NULL));
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_INT, count);
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)list->data)[i] = from + i;
    list->length = count;
    return rt_ok(rt_ptr_word(list));
}

nxd_rw nxd_list_sum_i(nxd_list *list) {
    nxd_list *seen = snapshot(list);
    int64_t sum = 0;
    bool overflow = false;
    for (int64_t i = 0; i < seen->length && !overflow; i++)
        overflow = __builtin_add_overflow(sum, ((int64_t *)seen->data)[i], &sum);
    rt_drop(&seen->head);
    return overflow ? rt_fail(nxd_error_overflow()) : rt_ok((nxd_word)sum);
}

double nxd_list_sum_f(nxd_list *list) {
    nxd_list *seen = snapshot(list);
    double sum = 0;
    for (int64_t i = 0; i < seen->length; i++)
        sum += ((double *)seen->data)[i];
    rt_drop(&seen->head);
    return sum;
}

// The first element that stands before (-1) or after (1) all others.
static nxd_rw extreme(nxd_list *list, int64_t wanted) {
    nxd_list *seen = snapshot(list);
    nxd_rw result = {0};
    int64_t form = rt_list_form(seen), type = rt_list_element(seen);
    if (seen->length == 0) {
        result = empty_error();
    } else {
        result.value = rt_list_load(seen, form, 0);
        for (int64_t i = 1; i < seen->length; i++) {
            nxd_word word = rt_list_load(seen, form, i);
            if (nxd_compare(word, result.value, type) == wanted)
                result.value = word;
        }
        rt_dup_word(result.value, form);
    }
    rt_drop(&seen->head);
    return result;
}

nxd_rw nxd_list_min(nxd_list *list) {
    return extreme(list, -1);
}

nxd_rw nxd_list_max(nxd_list *list) {
    return extreme(list, 1);
}

int64_t nxd_list_index_of(nxd_list *list, nxd_word wanted) {
    nxd_list *seen = snapshot(list);
    int64_t form = rt_list_form(seen), type = rt_list_element(seen), found = -1;
    for (int64_t i = 0; i < seen->length && found < 0; i++)
        if (nxd_equal(rt_list_load(seen, form, i), wanted, type))
            found = i;
    rt_drop(&seen->head);
    return found;
}

int64_t nxd_list_contains(nxd_list *list, nxd_word wanted) {
    return nxd_list_index_of(list, wanted) >= 0;
}

// ---- sorting -------------------------------------------------------------------------------------------------------------------------------

static nxd_list *own_copy(nxd_list *list) {
    nxd_list *seen = snapshot(list);
    nxd_list *copy = copy_range(seen, 0, seen->length);
    rt_drop(&seen->head);
    return copy;
}

static void sort_bools(nxd_list *list) {
    uint8_t *data = list->data;
    int64_t trues = 0;
    for (int64_t i = 0; i < list->length; i++)
        trues += data[i];
    for (int64_t i = 0; i < list->length; i++)
        data[i] = i >= list->length - trues;
}

NXD_OWNED nxd_list *nxd_list_sort(nxd_list *list) {
    nxd_list *copy = own_copy(list);
    if (rt_list_form(copy) == NXD_FORM_BOOL)
        sort_bools(copy);
    else
        rt_sort_words(copy->data, NULL, copy->length, rt_type(rt_list_element(copy)));
    return copy;
}

NXD_OWNED nxd_list *nxd_list_sort_by_keys(nxd_list *list, nxd_list *keys) {
    nxd_list *items = own_copy(list), *by = own_copy(keys);
    int64_t count = rt_min(items->length, by->length);
    int64_t key_form = rt_list_form(by), form = rt_list_form(items);
    int64_t room = 2 * rt_max(count, 1) * 8;
    nxd_word *words = rt_alloc(room), *along = words + rt_max(count, 1);
    for (int64_t i = 0; i < count; i++) {
        words[i] = rt_list_load(by, key_form, i);
        along[i] = rt_list_load(items, form, i);
    }
    rt_sort_words(words, along, count, rt_type(rt_list_element(by)));
    for (int64_t i = 0; i < count; i++)
        rt_list_store(items, form, i, along[i]);
    rt_free(words, room);
    rt_drop(&by->head);
    return items;
}
