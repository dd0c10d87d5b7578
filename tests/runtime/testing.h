// A small test harness for the runtime's C tests, and the types of the program they pretend to belong to.
#ifndef TESTING_H
#define TESTING_H

#include "nxd/base.h"
#include "nxd/error.h"
#include "nxd/format.h"
#include "nxd/hooks.h"
#include "nxd/list.h"
#include "nxd/map.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/option.h"
#include "nxd/string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { // descriptors beyond the fixed ones, see program.c
    TYPE_PERSON = 20,     // struct { NAME: string, AGE: int }, changed by the program
    TYPE_NODE = 21,       // struct { VALUE: int, NEXT: NODE or none }, changed, cyclic
    TYPE_NODE_OR_NONE = 22,
    TYPE_MAP_INT = 23,    // MAP<int, int>
    TYPE_MAP_STRING = 24, // MAP<string, int>
    TYPE_COLOR = 25,      // enum { RED, GREEN, BLUE }
    TYPE_SHAPE = 26,      // union { CIRCLE(float), RECT(float, float), POINT }
    TYPE_RECORD = 27,     // { A: int, B: string }
    TYPE_MAP_PERSON = 28, // MAP<PERSON, int>
    TYPE_LIST_PERSON = 29,
    TYPE_MAP_ANY = 30,    // MAP<string, any>
    TYPE_LIST_NODE = 31,
    TYPE_POINT = 32,      // struct { X: int, Y: int }, never changed
    TYPE_MAP_POINT = 33,  // MAP<POINT, int>
    TYPE_CELL = 34,       // cell of a string
    TYPE_CLOSURE = 35,    // function with a cell as capture
    TYPE_BOX = 36,        // struct BOX<int> { VALUE: int }
    TYPE_MAP_LIST = 37,   // MAP<string, LIST<int>>
    TYPE_COUNT = 38
};

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition)) {                                                                                                    \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(1);                                                                                                           \
        }                                                                                                                      \
    } while (0)

#define RUN(test)                                                                                                              \
    do {                                                                                                                       \
        test();                                                                                                                \
        test_collect();                                                                                                        \
        if (rt_leak_report() != 0) {                                                                                           \
            fprintf(stderr, "%s: leaks\n", #test);                                                                             \
            exit(1);                                                                                                           \
        }                                                                                                                      \
    } while (0)

void test_collect(void); // garbage cycles, and the test's process buffer

static inline nxd_string *str(const char *text) {
    return rt_string_ascii(text);
}

static inline nxd_word word(const void *object) {
    return rt_ptr_word(object);
}

static inline nxd_string *as_string(nxd_word value) {
    return (nxd_string *)rt_word_object(value);
}

// Compares and drops.
static inline bool is_text(NXD_TAKE nxd_string *text, const char *expected) {
    bool equal = text->bytes == (int64_t)strlen(expected) && memcmp(text->data, expected, strlen(expected)) == 0 &&
                 text->chars == rt_count_chars(text->data, text->bytes) && text->data[text->bytes] == 0;
    if (!equal)
        fprintf(stderr, "got \"%s\", expected \"%s\"\n", text->data, expected);
    nxd_drop(&text->head);
    return equal;
}

static inline bool shows(nxd_word value, int64_t type, const char *expected) {
    return is_text(nxd_format(value, type), expected);
}

// Whether the error's message is this; drops the error.
static inline bool is_error(NXD_TAKE nxd_error *error, const char *expected) {
    if (error == NULL)
        return false;
    nxd_string *message = nxd_error_message(error);
    nxd_error_drop(error);
    return is_text(message, expected);
}

static inline nxd_struct *person(const char *name, int64_t age) {
    nxd_struct *made = (nxd_struct *)nxd_new(8 + 16, TYPE_PERSON);
    made->fields[0] = word(str(name));
    made->fields[1] = (nxd_word)age;
    return made;
}

static inline nxd_struct *node(int64_t value, NXD_TAKE nxd_any next) {
    nxd_struct *made = (nxd_struct *)nxd_new(8 + 16, TYPE_NODE);
    made->fields[0] = (nxd_word)value;
    made->fields[1] = next;
    return made;
}

static inline nxd_list *ints(int64_t count, const int64_t *values) {
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_INT, 0);
    for (int64_t i = 0; i < count; i++)
        nxd_list_push(list, (nxd_word)values[i]);
    return list;
}

#endif
