// Lists: growth, errors, shared lists, sorting.
#include "testing.h"

static bool list_is(NXD_TAKE nxd_list *list, const char *expected) {
    bool same = shows(word(list), list->head.type, expected);
    nxd_drop(&list->head);
    return same;
}

static nxd_list *got(nxd_rw result) {
    CHECK(result.error == NULL);
    return (nxd_list *)rt_word_object(result.value);
}

static void basics(void) {
    nxd_list *list = ints(3, (int64_t[]){1, 2, 3});
    CHECK(nxd_list_get(list, 2).value == 3 && nxd_list_length(list) == 3);
    CHECK(is_error(nxd_list_get(list, 3).error, "E1002: index out of bounds: index 3, length 3"));
    CHECK(is_error(nxd_list_set(list, -1, 5), "E1002: index out of bounds: index -1, length 3"));
    CHECK(nxd_list_set(list, 0, 9) == NULL && nxd_list_insert(list, 3, 4) == NULL && nxd_list_insert(list, 0, 0) == NULL);
    CHECK(is_error(nxd_list_insert(list, 9, 4), "E1002: index out of bounds: index 9, length 5"));
    CHECK(shows(word(list), NXD_TYPE_LIST_INT, "[0, 9, 2, 3, 4]"));
    CHECK(nxd_list_remove_at(list, 1) == NULL && nxd_list_pop(list).value == 4);
    CHECK(list_is(got(nxd_list_slice(list, 1, 3)), "[2, 3]") && list_is(got(nxd_list_tail(list)), "[2, 3]"));
    CHECK(is_error(nxd_list_slice(list, 2, 1).error, "E1002: index out of bounds: index 1, length 3"));
    CHECK(list_is(nxd_list_concat(list, list), "[0, 2, 3, 0, 2, 3]") && list_is(nxd_list_reverse(list), "[3, 2, 0]"));
    CHECK(nxd_list_sum_i(list).value == 5 && nxd_list_min(list).value == 0 && nxd_list_max(list).value == 3);
    CHECK(nxd_list_index_of(list, 3) == 2 && !nxd_list_contains(list, 7));
    CHECK(nxd_list_add_int(list, 0, 5) == NULL && nxd_list_get(list, 0).value == 5);
    CHECK(is_error(nxd_list_add_int(list, 0, INT64_MAX), "E1004: integer overflow"));
    nxd_list_truncate(list, 0);
    CHECK(is_error(nxd_list_pop(list).error, "E1002: index out of bounds: the list is empty"));
    CHECK(is_error(nxd_list_head(list).error, "E1002: index out of bounds: the list is empty"));
    nxd_drop(&list->head);
    CHECK(list_is(got(nxd_list_range(-1, 2)), "[-1, 0, 1]") && list_is(got(nxd_list_range(2, 1)), "[]"));
    CHECK(is_error(nxd_list_range(INT64_MIN, INT64_MAX).error, "E1009: out of memory"));
}

static void counted_elements(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    for (int i = 0; i < 20; i++) {
        char text[32];
        snprintf(text, sizeof text, "text %d", i);
        nxd_list_push(list, word(str(text)));
    }
    CHECK(nxd_list_set(list, 3, word(str("changed"))) == NULL);
    nxd_rw third = nxd_list_get(list, 3);
    CHECK(is_text(as_string(third.value), "changed"));
    nxd_string *more = str("!");
    CHECK(nxd_list_add(list, 3, word(more)) == NULL);
    nxd_drop(&more->head);
    nxd_list *part = got(nxd_list_slice(list, 2, 5));
    CHECK(list_is(part, "[\"text 2\", \"changed!\", \"text 4\"]"));
    CHECK(nxd_list_remove_at(list, 0) == NULL);
    nxd_list_truncate(list, 5);
    CHECK(nxd_list_length(list) == 5);
    nxd_drop(&list->head);
}

static void lost_element(void) { // what could not be stored is dropped
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    CHECK(is_error(nxd_list_set(list, 0, word(str("lost"))), "E1002: index out of bounds: index 0, length 0"));
    nxd_drop(&list->head);
}

static void bools(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_BOOL, 0);
    for (int i = 0; i < 10; i++)
        nxd_list_push(list, (nxd_word)(i % 3 == 0));
    CHECK(shows(word(list), NXD_TYPE_LIST_BOOL, "[true, false, false, true, false, false, true, false, false, true]"));
    CHECK(list_is(nxd_list_sort(list), "[false, false, false, false, false, false, true, true, true, true]"));
    CHECK(nxd_list_insert(list, 1, 1) == NULL && nxd_list_index_of(list, 0) == 2);
    CHECK(list_is(got(nxd_list_slice(list, 0, 2)), "[true, true]"));
    nxd_drop(&list->head);
}

static void shared(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    nxd_share(word(list), NXD_TYPE_LIST_STRING);
    nxd_string *text = str("x");
    nxd_dup(&text->head);
    nxd_list_push(list, word(text));
    CHECK(rt_is_shared(&text->head)); // what a shared list holds is shared
    nxd_string *more = str("y");
    CHECK(nxd_list_add(list, 0, word(more)) == NULL && nxd_list_add(list, 0, word(more)) == NULL);
    CHECK(shows(word(list), NXD_TYPE_LIST_STRING, "[\"xyy\"]"));
    CHECK(is_text(text, "x"));
    CHECK(list_is(nxd_list_sort(list), "[\"xyy\"]"));
    nxd_drop(&more->head);
    nxd_drop(&list->head);
}

static uint64_t random_state = 1;

static uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return random_state >> 20 ^ random_state;
}

static void sort_numbers(void) {
    for (int64_t count = 0; count < 3000; count = count * 3 / 2 + 1) {
        nxd_list *list = nxd_list_new(NXD_TYPE_LIST_INT, 0), *floats = nxd_list_new(NXD_TYPE_LIST_FLOAT, 0);
        for (int64_t i = 0; i < count; i++) {
            int64_t value = (int64_t)next_random() >> (next_random() % 60);
            nxd_list_push(list, (nxd_word)value);
            nxd_list_push(floats, i % 50 == 3 ? rt_float_word(0.0 / 0.0) : rt_float_word((double)value / 3));
        }
        nxd_list *sorted = nxd_list_sort(list), *sorted_floats = nxd_list_sort(floats);
        int64_t *data = sorted->data;
        uint64_t sum = 0, before = 0;
        for (int64_t i = 0; i < count; i++) {
            CHECK(i == 0 || data[i - 1] <= data[i]);
            CHECK(i == 0 || nxd_compare(((nxd_word *)sorted_floats->data)[i - 1], ((nxd_word *)sorted_floats->data)[i], NXD_TYPE_FLOAT) <= 0);
            sum += (uint64_t)data[i];
            before += ((uint64_t *)list->data)[i];
        }
        CHECK(sum == before);
        nxd_drop(&list->head);
        nxd_drop(&floats->head);
        nxd_drop(&sorted->head);
        nxd_drop(&sorted_floats->head);
    }
}

static void sort_texts(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    for (int i = 0; i < 2000; i++) {
        char text[32];
        snprintf(text, sizeof text, i % 2 ? "common prefix %d" : "%d", (int)(next_random() % 1000));
        nxd_list_push(list, word(rt_string_new(text, (int64_t)strlen(text))));
    }
    nxd_list *sorted = nxd_list_sort(list);
    for (int64_t i = 1; i < sorted->length; i++)
        CHECK(nxd_compare(((nxd_word *)sorted->data)[i - 1], ((nxd_word *)sorted->data)[i], NXD_TYPE_STRING) <= 0);
    nxd_drop(&sorted->head);
    nxd_drop(&list->head);
}

static void sort_is_stable(void) {
    for (int64_t count = 10; count < 5000; count *= 7) {
        nxd_list *items = nxd_list_new(NXD_TYPE_LIST_INT, 0), *keys = nxd_list_new(NXD_TYPE_LIST_INT, 0);
        for (int64_t i = 0; i < count; i++) {
            nxd_list_push(items, (nxd_word)i);
            nxd_list_push(keys, next_random() % 10);
        }
        nxd_list *sorted = nxd_list_sort_by_keys(items, keys);
        int64_t *data = sorted->data, *by = keys->data;
        for (int64_t i = 1; i < count; i++)
            CHECK(by[data[i - 1]] < by[data[i]] || (by[data[i - 1]] == by[data[i]] && data[i - 1] < data[i]));
        nxd_drop(&items->head);
        nxd_drop(&keys->head);
        nxd_drop(&sorted->head);
    }
}

int main(void) {
    RUN(basics);
    RUN(lost_element);
    RUN(bools);
    RUN(shared);
    RUN(sort_numbers);
    RUN(sort_texts);
    RUN(sort_is_stable);
    RUN(counted_elements);
    return 0;
}
