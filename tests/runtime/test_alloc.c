// The allocator and the locks with several threads.
#include "testing.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20000, SLOTS = 200 };

// Blocks keep what was written in them, whoever frees them.
static void *churn(void *argument) {
    unsigned char **blocks = calloc(SLOTS, sizeof *blocks);
    int64_t sizes[SLOTS] = {0};
    uint64_t state = (uint64_t)(uintptr_t)argument + 1;
    for (int round = 0; round < ROUNDS; round++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        int64_t slot = (int64_t)(state >> 33) % SLOTS, size = (int64_t)(state >> 40) % 700 + 1;
        if (blocks[slot] != NULL) {
            for (int64_t i = 0; i < sizes[slot]; i++)
                CHECK(blocks[slot][i] == (unsigned char)slot);
            if (round % 3 == 0) {
                blocks[slot] = rt_realloc(blocks[slot], sizes[slot], size);
                for (int64_t i = 0; i < rt_min(size, sizes[slot]); i++)
                    CHECK(blocks[slot][i] == (unsigned char)slot);
            } else {
                rt_free(blocks[slot], sizes[slot]);
                blocks[slot] = rt_alloc(size);
            }
        } else {
            blocks[slot] = rt_alloc(size);
        }
        CHECK(((uintptr_t)blocks[slot] & 7) == 0 && rt_alloc_usable(size) >= size);
        sizes[slot] = size;
        memset(blocks[slot], (int)slot, (size_t)size);
    }
    for (int64_t slot = 0; slot < SLOTS; slot++)
        if (blocks[slot] != NULL)
            rt_free(blocks[slot], sizes[slot]);
    free(blocks);
    rt_alloc_thread_end();
    return NULL;
}

static void run_threads(void *(*body)(void *), void *argument) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, argument == NULL ? (void *)i : argument) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

// Whole batches of each small size go to the global lists and come back; no block touches another.
static void every_size(void) {
    enum { BLOCKS = 600 };
    unsigned char *blocks[BLOCKS];
    for (int64_t size = 1; size <= 80; size++)
        for (int round = 0; round < 3; round++) {
            for (int64_t i = 0; i < BLOCKS; i++) {
                blocks[i] = rt_alloc(size);
                memset(blocks[i], (int)i, (size_t)size);
            }
            for (int64_t i = 0; i < BLOCKS; i += 2) // half of them: the others must keep their bytes
                rt_free(blocks[i], size);
            for (int64_t i = 1; i < BLOCKS; i += 2) {
                for (int64_t j = 0; j < size; j++)
                    CHECK(blocks[i][j] == (unsigned char)i);
                rt_free(blocks[i], size);
            }
        }
}

static void many_threads(void) {
    run_threads(churn, NULL);
}

// One list, one map and one struct for all threads.
typedef struct common {
    nxd_list *list;
    nxd_map *map;
    nxd_struct *person;
    nxd_word text;
} common;

static void *use_together(void *argument) {
    common *c = argument;
    for (int64_t i = 0; i < ROUNDS / 10; i++) {
        nxd_list_push(c->list, word(str("element")));
        nxd_rw first = nxd_list_get(c->list, 0);
        CHECK(first.error == NULL && as_string(first.value)->bytes == 7);
        rt_drop_word(first.value, NXD_FORM_PTR);
        CHECK(nxd_list_set(c->list, 0, word(str("another"))) == NULL);
        char text[32];
        snprintf(text, sizeof text, "key %d", (int)(i % 50));
        nxd_string *key = rt_string_new(text, (int64_t)strlen(text));
        nxd_error *missing = nxd_map_add_int(c->map, word(key), 1);
        if (missing != NULL)
            nxd_error_drop(missing);
        if (i % 7 == 0)
            nxd_map_remove(c->map, word(key));
        nxd_map_set(c->map, word(key), 1);
        CHECK(nxd_struct_add_int(c->person, 1, 1) == NULL);
        nxd_struct_set(c->person, 0, word(str("name")));
        nxd_word name = nxd_struct_get(c->person, 0);
        CHECK(as_string(name)->bytes >= 4);
        rt_drop_word(name, NXD_FORM_PTR);
        if (i % 100 == 0) {
            nxd_string *shown = nxd_format(word(c->map), TYPE_MAP_STRING);
            nxd_drop(&shown->head);
            nxd_word copy = nxd_clone(word(c->list), NXD_TYPE_LIST_STRING);
            rt_drop_word(copy, NXD_FORM_PTR);
            nxd_string *more = str("x");
            CHECK(nxd_global_add(&c->text, word(more), NXD_TYPE_STRING) == NULL);
            nxd_drop(&more->head);
        }
    }
    rt_alloc_thread_end();
    return NULL;
}

static void shared_objects(void) {
    common c = {nxd_list_new(NXD_TYPE_LIST_STRING, 0), nxd_map_new(TYPE_MAP_STRING), person("name", 0), word(str(""))};
    nxd_share(word(c.list), NXD_TYPE_LIST_STRING);
    nxd_share(word(c.map), TYPE_MAP_STRING);
    nxd_share(word(c.person), TYPE_PERSON);
    nxd_share(c.text, NXD_TYPE_STRING);
    nxd_list_push(c.list, word(str("element")));
    run_threads(use_together, &c);
    CHECK(nxd_list_length(c.list) == THREADS * ROUNDS / 10 + 1 && nxd_map_length(c.map) == 50);
    CHECK(nxd_struct_get(c.person, 1) == THREADS * ROUNDS / 10 && as_string(c.text)->bytes == THREADS * ROUNDS / 1000);
    nxd_drop(&c.list->head);
    nxd_drop((nxd_object *)c.map);
    nxd_drop(&c.person->head);
    rt_drop_word(c.text, NXD_FORM_PTR);
}

int main(void) {
    RUN(every_size);
    RUN(many_threads);
    RUN(shared_objects);
    return 0;
}
