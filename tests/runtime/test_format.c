// Values as text: every kind, nesting, cycles, depth.
#include "testing.h"

#include "nxd/io.h"

static void leaves(void) {
    CHECK(shows((nxd_word)INT64_MIN, NXD_TYPE_INT, "-9223372036854775808") && shows(0, NXD_TYPE_INT, "0"));
    CHECK(shows(1, NXD_TYPE_BOOL, "true") && shows(0, NXD_TYPE_BOOL, "false"));
    CHECK(shows(NXD_ANY_NONE, NXD_TYPE_ANY, "NONE") && shows(NXD_ANY_TRUE, NXD_TYPE_ANY, "true") && shows(NXD_ANY_NONE, NXD_TYPE_NONE, "NONE"));
    CHECK(shows(2, TYPE_COLOR, "BLUE") && shows(word(rt_unit(TYPE_COLOR, 1)), NXD_TYPE_ANY, "GREEN"));
    CHECK(shows(nxd_any_box((nxd_word)-5, NXD_TYPE_INT), NXD_TYPE_ANY, "-5"));
    nxd_any big = nxd_any_box((nxd_word)INT64_MIN, NXD_TYPE_INT), real = nxd_any_box(rt_float_word(2.5), NXD_TYPE_FLOAT);
    CHECK(shows(big, NXD_TYPE_ANY, "-9223372036854775808") && shows(real, NXD_TYPE_ANY, "2.5"));
    nxd_drop_any(big);
    nxd_drop_any(real);
    nxd_string *text = str("a\"\\\n\t\x01\xC3\xA4");
    CHECK(shows(word(text), NXD_TYPE_STRING, "a\"\\\n\t\x01\xC3\xA4"));
    CHECK(shows(word(text), NXD_TYPE_ANY, "a\"\\\n\t\x01\xC3\xA4"));
    nxd_union *some = rt_option_some(NXD_TYPE_OPTION_STRING, word(text));
    CHECK(shows(word(some), NXD_TYPE_OPTION_STRING, "SOME(\"a\\\"\\\\\\n\\t\\u{01}\xC3\xA4\")"));
    nxd_drop(&some->head);
}

static void structs(void) {
    nxd_struct *ann = person("Ann", 3);
    CHECK(shows(word(ann), TYPE_PERSON, "PERSON { NAME: \"Ann\", AGE: 3 }"));
    nxd_drop(&ann->head);
    nxd_struct *record = (nxd_struct *)nxd_new(24, TYPE_RECORD);
    record->fields[0] = 1;
    record->fields[1] = word(str("x"));
    CHECK(shows(word(record), TYPE_RECORD, "{ A: 1, B: \"x\" }"));
    nxd_drop(&record->head);
    nxd_struct *box = (nxd_struct *)nxd_new(16, TYPE_BOX);
    box->fields[0] = 1;
    CHECK(shows(word(box), TYPE_BOX, "BOX { VALUE: 1 }"));
    nxd_drop(&box->head);
    nxd_union *shape = (nxd_union *)nxd_new(32, TYPE_SHAPE);
    shape->tag = 1;
    shape->payload[0] = rt_float_word(1);
    shape->payload[1] = rt_float_word(2.5);
    CHECK(shows(word(shape), TYPE_SHAPE, "RECT(1.0, 2.5)") && shows(word(rt_unit(TYPE_SHAPE, 2)), TYPE_SHAPE, "POINT"));
    nxd_drop(&shape->head);
}

static void containers(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_ANY, 0);
    nxd_map *map = nxd_map_new(TYPE_MAP_ANY);
    CHECK(shows(word(list), NXD_TYPE_LIST_ANY, "[]") && shows(word(map), TYPE_MAP_ANY, "{}"));
    nxd_map_set(map, word(str("k")), nxd_any_box(1, NXD_TYPE_INT));
    nxd_map_set(map, word(str("l")), word(ints(2, (int64_t[]){7, 8})));
    nxd_map_set(map, word(str("s")), word(str("t")));
    nxd_list_push(list, word(map));
    nxd_list_push(list, NXD_ANY_NONE);
    CHECK(shows(word(list), NXD_TYPE_LIST_ANY, "[{ \"k\": 1, \"l\": [7, 8], \"s\": \"t\" }, NONE]"));
    nxd_string *dash = str(" - ");
    CHECK(is_text(nxd_list_join(list, dash), "{ \"k\": 1, \"l\": [7, 8], \"s\": \"t\" } - NONE"));
    nxd_drop(&dash->head);
    nxd_drop(&list->head);
}

static void cycles(void) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_ANY, 0);
    nxd_dup(&list->head);
    nxd_list_push(list, nxd_any_box(1, NXD_TYPE_INT));
    nxd_list_push(list, word(list));
    nxd_list_push(list, nxd_any_box(2, NXD_TYPE_INT));
    CHECK(shows(word(list), NXD_TYPE_LIST_ANY, "[1, ..., 2]"));
    nxd_drop(&list->head);
    // a graph with exponentially many paths
    nxd_list *lists[40];
    for (int i = 0; i < 40; i++)
        lists[i] = nxd_list_new(NXD_TYPE_LIST_ANY, 0);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) {
            nxd_dup(&lists[j]->head);
            nxd_list_push(lists[i], word(lists[j]));
        }
    nxd_string *text = nxd_format(word(lists[0]), NXD_TYPE_LIST_ANY);
    CHECK(text->bytes < 100000);
    nxd_drop(&text->head);
    for (int i = 0; i < 40; i++)
        nxd_drop(&lists[i]->head);
}

static void same_twice(void) { // no cycle: shown twice
    nxd_list *outer = nxd_list_new(NXD_TYPE_LIST_ANY, 0);
    nxd_list *inner = ints(1, (int64_t[]){1});
    nxd_dup(&inner->head);
    nxd_list_push(outer, word(inner));
    nxd_list_push(outer, word(inner));
    CHECK(shows(word(outer), NXD_TYPE_LIST_ANY, "[[1], [1]]"));
    nxd_drop(&outer->head);
}

static void deep(void) {
    nxd_any chain = NXD_ANY_NONE;
    for (int64_t i = 0; i < 200000; i++)
        chain = word(node(i, chain));
    nxd_string *text = nxd_format(chain, NXD_TYPE_ANY);
    CHECK(text->bytes > 200000 * 20);
    nxd_drop(&text->head);
    CHECK(nxd_equal(chain, chain, NXD_TYPE_ANY));
    nxd_word copy = nxd_clone(chain, NXD_TYPE_ANY);
    CHECK(copy != chain && nxd_equal(copy, chain, NXD_TYPE_ANY) && rt_hash(copy, NXD_TYPE_ANY) == rt_hash(chain, NXD_TYPE_ANY));
    nxd_drop_any(copy);
    nxd_drop_any(chain);
}

static void errors(void) {
    nxd_string *key = str("k");
    nxd_error *error = nxd_error_new(4001, key);
    static const nxd_site site = {"main.nxd", "MAIN", 3, 9};
    for (int i = 0; i < 100; i++)
        nxd_error_trace(error, &site);
    nxd_error *copy = rt_error_copy(error);
    CHECK(nxd_error_code(copy) == 4001);
    CHECK(is_error(copy, "E4001: capability revoked: k"));
    CHECK(is_error(error, "E4001: capability revoked: k"));
    CHECK(is_error(nxd_error_new(7001, str("mine")), "E7001: mine") && is_error(nxd_error_new(7001, NULL), "E7001"));
    CHECK(is_error(nxd_error_new(0, str("thrown")), "thrown") && is_error(nxd_error_overflow(), "E1004: integer overflow"));
    CHECK(is_error(nxd_error_division(), "E1005: division by zero") && is_error(nxd_error_none(), "E1006: none has no value"));
}

static void dates(void) {
    CHECK(is_text(nxd_time_date_string(0), "1970-01-01") && is_text(nxd_time_date_string(-1), "1969-12-31"));
    CHECK(is_text(nxd_time_date_string(INT64_C(1796083200000)), "2026-12-01") && is_text(nxd_time_date_string(INT64_C(951782400000)), "2000-02-29"));
    nxd_struct *info = nxd_time_info(INT64_C(1796083200000) + 3723 * 1000);
    CHECK(shows(word(info), NXD_TYPE_TIMEINFO, "{ YEAR: 2026, MONTH: 12, DAY: 1, HOUR: 1, MIN: 2, SEC: 3, WEEKDAY: 2 }"));
    nxd_drop(&info->head);
}

static void random_numbers(void) {
    nxd_random_seed(5);
    uint64_t first = rt_random_next();
    nxd_random_seed(5);
    CHECK(rt_random_next() == first);
    int64_t counts[6] = {0};
    for (int i = 0; i < 6000; i++)
        counts[nxd_random_int(-2, 3).value + 2]++;
    for (int i = 0; i < 6; i++)
        CHECK(counts[i] > 800 && counts[i] < 1200);
    CHECK(nxd_random_int(INT64_MIN, INT64_MAX).error == NULL);
    for (int i = 0; i < 1000; i++) {
        double drawn = rt_word_float(nxd_random_float(1, 1.5).value);
        CHECK(drawn >= 1 && drawn < 1.5);
    }
    CHECK(is_error(nxd_random_int(2, 1).error, "E2001: constraint violation: no int from 2 to 1"));
    nxd_string *text = as_string(nxd_random_string(100).value);
    CHECK(text->bytes == 100 && text->chars == 100);
    nxd_drop(&text->head);
}

int main(void) {
    RUN(leaves);
    RUN(structs);
    RUN(containers);
    RUN(cycles);
    RUN(same_twice);
    RUN(deep);
    RUN(errors);
    RUN(dates);
    RUN(random_numbers);
    return 0;
}
