// Sorting of words, stable.
//
// Purpose: SORT and SORT_BY.
// Method: ints, floats and enums by radix, least digit first, over the digits in which the keys differ; few keys and other orders by merging;
//   strings are merged with their first eight bytes beside the pointer, so that most comparisons touch no string.
// Invariants: `along` (if any) is permuted like `keys`. Nothing is counted: elements only move.
// Threads: the arrays belong to the caller. Process stacks are small: tables and scratch arrays come from the heap.
// Rejected: comparing ints: every comparison of random keys is a mispredicted branch, and quicksorts are not stable.
#include "nxd/list.h"
#include "nxd/string.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 6, RADIX_MINIMUM = 512, RUN = 12 };

// ---- radix -------------------------------------------------------------------------------------------------------------------------

// Flips bits so that unsigned order is the order of the values; its own inverse for ints.
static uint64_t int_order(uint64_t word) {
    return word ^ UINT64_C(1) << 63;
}

static uint64_t float_order(uint64_t word) {
    double value = rt_word_float(word);
    if (value != value)
        return UINT64_MAX; // nan stands last
    if (value == 0)
        return UINT64_C(1) << 63; // both zeros are equal
    return word >> 63 != 0 ? ~word : word | UINT64_C(1) << 63;
}

typedef struct sort_item {
    uint64_t order;
    nxd_word key, along;
} sort_item;

static void count_digits(const nxd_word *keys, int64_t count, uint32_t *table) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = int_order(keys[i]);
        for (int64_t pass = 0; pass < PASSES; pass++)
            table[pass * DIGITS + (int64_t)(bits >> (pass * DIGIT_BITS) & (DIGITS - 1))]++;
    }
}

// Counts to starting positions; false when all keys have the same digit.
static bool start_positions(uint32_t *counts, int64_t count) {
    uint32_t sum = 0;
    for (int64_t digit = 0; digit < DIGITS; digit++) {
        uint32_t here = counts[digit];
        if (here == (uint32_t)count)
            return false;
        counts[digit] = sum;
        sum += here;
    }
    return true;
}

static void radix_ints(nxd_word *keys, int64_t count) {
    int64_t table_size = PASSES * DIGITS * (int64_t)sizeof(uint32_t);
    uint32_t *table = rt_alloc(table_size);
    nxd_word *scratch = rt_alloc(count * 8), *from = keys, *to = scratch;
    memset(table, 0, (size_t)table_size);
    count_digits(keys, count, table);
    for (int64_t pass = 0; pass < PASSES; pass++) {
        uint32_t *at = table + pass * DIGITS;
        if (!start_positions(at, count))
            continue;
        for (int64_t i = 0; i < count; i++)
            to[at[int_order(from[i]) >> (pass * DIGIT_BITS) & (DIGITS - 1)]++] = from[i];
        nxd_word *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)count * 8);
    rt_free(scratch, count * 8);
    rt_free(table, table_size);
}

static void radix_items(sort_item *items, sort_item *scratch, int64_t count) {
    int64_t table_size = PASSES * DIGITS * (int64_t)sizeof(uint32_t);
    uint32_t *table = rt_alloc(table_size);
    sort_item *from = items, *to = scratch;
    memset(table, 0, (size_t)table_size);
    for (int64_t i = 0; i < count; i++)
        for (int64_t pass = 0; pass < PASSES; pass++)
            table[pass * DIGITS + (int64_t)(items[i].order >> (pass * DIGIT_BITS) & (DIGITS - 1))]++;
    for (int64_t pass = 0; pass < PASSES; pass++) {
        uint32_t *at = table + pass * DIGITS;
        if (!start_positions(at, count))
            continue;
        for (int64_t i = 0; i < count; i++)
            to[at[from[i].order >> (pass * DIGIT_BITS) & (DIGITS - 1)]++] = from[i];
        sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof(sort_item));
    rt_free(table, table_size);
}

// ---- merging -----------------------------------------------------------------------------------------------------------------------

typedef enum sort_order { BY_NUMBER, BY_TEXT, BY_VALUE } sort_order;

typedef struct sorting {
    sort_order order;
    int64_t type; // BY_VALUE
    const nxd_type *descriptor;
} sorting;

static int64_t compare_texts(const sort_item *a, const sort_item *b) {
    return rt_string_compare((const nxd_string *)rt_word_object(a->key), (const nxd_string *)rt_word_object(b->key));
}

static inline bool is_after(const sorting *s, const sort_item *a, const sort_item *b) {
    if (a->order != b->order)
        return a->order > b->order;
    if (s->order == BY_NUMBER)
        return false;
    return s->order == BY_TEXT ? compare_texts(a, b) > 0 : nxd_compare(a->key, b->key, s->type) > 0;
}

static void insertion(const sorting *s, sort_item *items, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        sort_item held = items[i];
        int64_t j = i;
        for (; j > 0 && is_after(s, &items[j - 1], &held); j--)
            items[j] = items[j - 1];
        items[j] = held;
    }
}

// Merges [0, middle) and [middle, count) of `from` into `to`.
static void merge(const sorting *s, const sort_item *from, int64_t middle, int64_t count, sort_item *to) {
    int64_t left = 0, right = middle, at = 0;
    if (middle >= count || !is_after(s, &from[middle - 1], &from[middle])) { // in order already
        memcpy(to, from, (size_t)count * sizeof(sort_item));
        return;
    }
    while (left < middle && right < count)
        to[at++] = is_after(s, &from[left], &from[right]) ? from[right++] : from[left++];
    memcpy(to + at, from + left, (size_t)(middle - left) * sizeof(sort_item));
    at += middle - left;
    memcpy(to + at, from + right, (size_t)(count - right) * sizeof(sort_item));
}

static void merge_sort(const sorting *s, sort_item *items, sort_item *scratch, int64_t count) {
    for (int64_t start = 0; start < count; start += RUN)
        insertion(s, items + start, rt_min(RUN, count - start));
    sort_item *from = items, *to = scratch;
    for (int64_t width = RUN; width < count; width *= 2) {
        for (int64_t start = 0; start < count; start += 2 * width)
            merge(s, from + start, rt_min(width, count - start), rt_min(2 * width, count - start), to + start);
        sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof(sort_item));
}

// The first eight bytes of a text, so that comparing numbers compares texts; shorter ones are filled with zeros.
static uint64_t text_order(const nxd_string *text) {
    uint64_t bits = 0;
    memcpy(&bits, text->data, (size_t)rt_min(8, text->bytes));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    return bits;
}

static uint64_t order_of(const sorting *s, nxd_word key) {
    switch (s->order) {
    case BY_TEXT:
        return text_order((const nxd_string *)rt_word_object(key));
    case BY_NUMBER:
        return s->descriptor->form == NXD_FORM_FLOAT ? float_order(key) : int_order(key);
    default:
        return 0;
    }
}

static sort_order order_by(const nxd_type *type) {
    if (type->kind == NXD_KIND_STRING)
        return BY_TEXT;
    return type->form == NXD_FORM_PTR || type->form == NXD_FORM_ANY ? BY_VALUE : BY_NUMBER;
}

void rt_sort_words(nxd_word *keys, nxd_word *along, int64_t count, const nxd_type *type) {
    if (count < 2)
        return;
    sorting s = {.order = order_by(type), .type = NXD_TYPE_ANY, .descriptor = type};
    if (along == NULL && s.order == BY_NUMBER && type->form != NXD_FORM_FLOAT && count >= RADIX_MINIMUM && count <= UINT32_MAX) {
        radix_ints(keys, count);
        return;
    }
    int64_t size = count * (int64_t)sizeof(sort_item);
    sort_item *items = rt_alloc(2 * size);
    for (int64_t i = 0; i < count; i++)
        items[i] = (sort_item){order_of(&s, keys[i]), keys[i], along == NULL ? 0 : along[i]};
    if (s.order == BY_NUMBER && count >= RADIX_MINIMUM && count <= UINT32_MAX)
        radix_items(items, items + count, count);
    else
        merge_sort(&s, items, items + count, count);
    for (int64_t i = 0; i < count; i++) {
        keys[i] = items[i].key;
        if (along != NULL)
            along[i] = items[i].along;
    }
    rt_free(items, 2 * size);
}
