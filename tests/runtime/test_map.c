// Maps: against a simple model, insertion order, removal, kinds of keys, shared maps.
#include "testing.h"

enum { KEYS = 300, STEPS = 40000 };

static uint64_t random_state = 7;

static uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return random_state >> 33;
}

// A map that keeps insertion order, done simply.
static struct model {
    int64_t key[STEPS], value[STEPS];
    bool live[STEPS];
    int64_t used, length;
} model;

static int64_t model_find(int64_t key) {
    for (int64_t i = model.used - 1; i >= 0; i--)
        if (model.live[i] && model.key[i] == key)
            return i;
    return -1;
}

static nxd_word key_word(int64_t type, int64_t key) {
    if (type == TYPE_MAP_INT)
        return (nxd_word)(key * 1000003);
    char text[32];
    snprintf(text, sizeof text, key % 2 ? "key%lld" : "a much longer key, number %lld", (long long)key);
    return word(rt_string_new(text, (int64_t)strlen(text)));
}

static void drop_key(int64_t type, nxd_word key) {
    rt_drop_word(key, type == TYPE_MAP_INT ? NXD_FORM_INT : NXD_FORM_PTR);
}

static void same_as_model(nxd_map *map, int64_t type) {
    CHECK(nxd_map_length(map) == model.length);
    int64_t at = -1;
    for (int64_t i = nxd_map_next(map, 0); i >= 0; i = nxd_map_next(map, i + 1)) {
        do
            at++;
        while (at < model.used && !model.live[at]);
        CHECK(at < model.used && (int64_t)nxd_map_value_at(map, i) == model.value[at]);
        nxd_word key = key_word(type, model.key[at]);
        CHECK(nxd_equal(nxd_map_key_at(map, i), key, rt_type(type)->key));
        drop_key(type, key);
    }
}

static void against_model(int64_t type, bool shared) {
    memset(&model, 0, sizeof model);
    nxd_map *map = nxd_map_new(type);
    if (shared)
        nxd_share(word(map), type);
    for (int64_t step = 0; step < STEPS; step++) {
        int64_t key = (int64_t)(next_random() % KEYS);
        int64_t at = model_find(key);
        nxd_word probe = key_word(type, key);
        uint64_t phase = (uint64_t)step / 4000 % 3; // growing, shrinking, mixed
        if (next_random() % 10 < (phase == 0 ? 2 : phase == 1 ? 8 : 5)) {
            CHECK(nxd_map_remove(map, probe) == (at >= 0));
            drop_key(type, probe);
            if (at >= 0) {
                model.live[at] = false;
                model.length--;
            }
        } else {
            CHECK(nxd_map_has(map, probe) == (at >= 0));
            nxd_map_set(map, probe, (nxd_word)step);
            if (at < 0) {
                at = model.used++;
                model.key[at] = key;
                model.live[at] = true;
                model.length++;
            }
            model.value[at] = step;
        }
        if (step % 977 == 0)
            same_as_model(map, type);
    }
    same_as_model(map, type);
    nxd_drop((nxd_object *)map);
}

static void int_keys(void) {
    against_model(TYPE_MAP_INT, false);
}

static void string_keys(void) {
    against_model(TYPE_MAP_STRING, false);
}

static void shared_maps(void) {
    against_model(TYPE_MAP_INT, true);
    against_model(TYPE_MAP_STRING, true);
}

static void as_a_queue(void) { // added at the end, removed in front: memory must not grow for ever
    nxd_map *map = nxd_map_new(TYPE_MAP_INT);
    for (int64_t i = 0; i < 100000; i++) {
        nxd_map_set(map, (nxd_word)i, (nxd_word)i);
        if (i >= 50) {
            int64_t first = nxd_map_next(map, 0);
            CHECK((int64_t)nxd_map_key_at(map, first) == i - 50);
            CHECK(nxd_map_remove(map, (nxd_word)(i - 50)) == 1);
        }
        CHECK(nxd_map_next(map, 0) < 2000);
    }
    CHECK(nxd_map_length(map) == 50);
    nxd_drop((nxd_object *)map);
}

static void errors_and_sums(void) {
    nxd_map *map = nxd_map_new(TYPE_MAP_STRING);
    nxd_string *key = str("a\"b");
    CHECK(is_error(nxd_map_get(map, word(key)).error, "E1003: key not found: \"a\\\"b\""));
    CHECK(is_error(nxd_map_add_int(map, word(key), 1), "E1003: key not found: \"a\\\"b\""));
    nxd_dup(&key->head);
    nxd_map_set(map, word(key), 5);
    CHECK(nxd_map_add_int(map, word(key), 2) == NULL && nxd_map_get(map, word(key)).value == 7);
    CHECK(is_error(nxd_map_add_int(map, word(key), INT64_MAX), "E1004: integer overflow"));
    CHECK(*nxd_map_find_string(map, key) == 7 && *nxd_map_find(map, word(key)) == 7);
    nxd_union *some = nxd_map_get_option(map, word(key), NXD_TYPE_OPTION_INT);
    CHECK(shows(word(some), NXD_TYPE_OPTION_INT, "SOME(7)"));
    nxd_drop(&some->head);
    CHECK(nxd_map_remove(map, word(key)) == 1 && nxd_map_remove(map, word(key)) == 0);
    CHECK(shows(word(nxd_map_get_option(map, word(key), NXD_TYPE_OPTION_INT)), NXD_TYPE_OPTION_INT, "NONE"));
    nxd_drop(&key->head);
    nxd_drop((nxd_object *)map);
}

static void struct_keys(void) {
    nxd_map *map = nxd_map_new(TYPE_MAP_PERSON);
    nxd_struct *ann = person("Ann", 3), *again = person("Ann", 3);
    nxd_dup(&ann->head);
    nxd_map_set(map, word(ann), 1);
    nxd_struct_set(ann, 1, 4); // the map has its own copy
    CHECK(!nxd_map_has(map, word(ann)) && nxd_map_has(map, word(again)));
    nxd_list *keys = nxd_map_keys(map, TYPE_LIST_PERSON);
    nxd_struct_set((nxd_struct *)rt_word_object(((nxd_word *)keys->data)[0]), 1, 9);
    CHECK(nxd_map_has(map, word(again)));
    CHECK(shows(word(map), TYPE_MAP_PERSON, "{ PERSON { NAME: \"Ann\", AGE: 3 }: 1 }"));
    nxd_share(word(map), TYPE_MAP_PERSON);
    nxd_map_set(map, word(ann), 2);
    CHECK(nxd_map_length(map) == 2 && nxd_map_get(map, word(again)).value == 1);
    CHECK(nxd_map_remove(map, word(again)) == 1);
    nxd_drop(&again->head);
    nxd_drop(&keys->head);
    nxd_drop((nxd_object *)map);
}

static void keys_and_values(void) {
    nxd_map *map = nxd_map_new(TYPE_MAP_LIST);
    for (int64_t i = 0; i < 30; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d", (int)i);
        nxd_map_set(map, word(str(text)), word(ints(1, &i)));
    }
    nxd_list *keys = nxd_map_keys(map, NXD_TYPE_LIST_STRING);
    CHECK(keys->length == 30 && strcmp(as_string(((nxd_word *)keys->data)[29])->data, "29") == 0);
    for (int64_t i = 0; i < 30; i += 2) {
        nxd_word key = ((nxd_word *)keys->data)[i];
        CHECK(nxd_map_remove(map, key) == 1);
    }
    nxd_word copy = nxd_clone(word(map), TYPE_MAP_LIST);
    CHECK(nxd_equal(copy, word(map), TYPE_MAP_LIST) && copy != word(map));
    nxd_word key = ((nxd_word *)keys->data)[1];
    nxd_rw inner = nxd_map_get((nxd_map *)rt_word_object(copy), key);
    nxd_list_push((nxd_list *)rt_word_object(inner.value), 5);
    CHECK(!nxd_equal(copy, word(map), TYPE_MAP_LIST));
    rt_drop_word(inner.value, NXD_FORM_PTR);
    rt_drop_word(copy, NXD_FORM_PTR);
    nxd_drop(&keys->head);
    nxd_drop((nxd_object *)map);
}

static void equal_in_any_order(void) {
    nxd_map *a = nxd_map_new(TYPE_MAP_INT), *b = nxd_map_new(TYPE_MAP_INT);
    for (int64_t i = 0; i < 100; i++) {
        nxd_map_set(a, (nxd_word)i, (nxd_word)(i * i));
        nxd_map_set(b, (nxd_word)(99 - i), (nxd_word)((99 - i) * (99 - i)));
    }
    CHECK(nxd_equal(word(a), word(b), TYPE_MAP_INT));
    nxd_map_set(b, 5, 0);
    CHECK(!nxd_equal(word(a), word(b), TYPE_MAP_INT));
    nxd_drop((nxd_object *)a);
    nxd_drop((nxd_object *)b);
}

int main(void) {
    RUN(int_keys);
    RUN(string_keys);
    RUN(shared_maps);
    RUN(as_a_queue);
    RUN(errors_and_sums);
    RUN(struct_keys);
    RUN(keys_and_values);
    RUN(equal_in_any_order);
    return 0;
}
