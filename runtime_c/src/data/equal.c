// Equality, order and hashes of values of any type.
//
// Purpose: EQ, IN, map keys, SORT, MIN, MAX.
// Invariants: equal values have equal hashes. Structs, lists, maps, unions compare by value, maps without regard to order; functions,
//   channels, tasks and processes by identity. Deep values need no deep stack. Two cyclic values are equal when no path tells them apart.
// Threads: shared objects that others may change are compared by snapshots taken under their locks.
#include "nxd/map.h"
#include "nxd/string.h"
#include "nxd/table.h"
#include "nxd/value.h"

#include <string.h>

// ---- values with their types ------------------------------------------------------------------------------------------------------

rt_value rt_value_of(nxd_word word, const nxd_type *type) {
    if (type->form == NXD_FORM_PTR) // an instance of a generic type may stand for another one
        return (rt_value){rt_type_of(rt_word_object(word)), word};
    if (type->form != NXD_FORM_ANY)
        return (rt_value){type, word};
    if (rt_any_is_int(word))
        return (rt_value){rt_type(NXD_TYPE_INT), (nxd_word)((int64_t)word >> 1)};
    if (!rt_any_is_object(word)) {
        if (word == NXD_ANY_NONE)
            return (rt_value){rt_type(NXD_TYPE_NONE), word};
        return (rt_value){rt_type(NXD_TYPE_BOOL), word == NXD_ANY_TRUE};
    }
    nxd_object *object = rt_word_object(word);
    const nxd_type *held = rt_type_of(object);
    switch (held->kind) {
    case NXD_KIND_INT:
    case NXD_KIND_FLOAT:
        return (rt_value){held, ((nxd_box *)object)->value};
    case NXD_KIND_ENUM:
        return (rt_value){held, (nxd_word)((nxd_union *)object)->tag};
    default:
        return (rt_value){held, word};
    }
}

int64_t rt_value_type(rt_value value) {
    if (value.type->form == NXD_FORM_PTR)
        return rt_word_object(value.word)->type;
    for (int64_t type = 0; type < (int64_t)nxd_program_main.type_count; type++) // enums only: others are at the front
        if (rt_type(type) == value.type)
            return type;
    return NXD_TYPE_ANY;
}

const char *rt_value_type_name(rt_value value) {
    return value.type->name;
}

// ---- equality -----------------------------------------------------------------------------------------------------------------------

enum { EQUAL_FIRST_FRAMES = 8, PATIENCE = 10000 };

typedef struct equal_frame { // two containers, equal so far
    nxd_object *a, *b;
    int64_t index;
    bool owned; // both are snapshots
} equal_frame;

typedef struct comparison {
    equal_frame *frames;
    int64_t depth;
    int64_t capacity;
    int64_t steps;
    bool quiet;   // nothing compared can change: no snapshots
    rt_table met; // pairs compared, once there were many: cyclic values must end
    equal_frame first[EQUAL_FIRST_FRAMES];
} comparison;

static bool was_met(comparison *c, const nxd_object *a, const nxd_object *b) {
    if (++c->steps < PATIENCE)
        return false;
    uint64_t pair = (uint64_t)(uintptr_t)a * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(uintptr_t)b * UINT64_C(0xD6E8FEB86659FD93);
    bool found;
    rt_table_put(&c->met, (const void *)(uintptr_t)(pair | 1), &found);
    return found;
}

static bool is_open_to_others(const nxd_object *object) {
    return rt_is_shared(object) && (rt_type_of(object)->flags & NXD_TYPE_MUTABLE) != 0;
}

static void open_pair(comparison *c, nxd_object *a, nxd_object *b) {
    if (was_met(c, a, b))
        return;
    if (c->depth == c->capacity) {
        int64_t old = c->capacity * (int64_t)sizeof(equal_frame);
        if (c->frames == c->first) {
            c->frames = rt_alloc(2 * old);
            memcpy(c->frames, c->first, (size_t)old);
        } else {
            c->frames = rt_realloc(c->frames, old, 2 * old);
        }
        c->capacity *= 2;
    }
    bool owned = !c->quiet && (is_open_to_others(a) || is_open_to_others(b));
    c->frames[c->depth++] = (equal_frame){.a = owned ? rt_snapshot(a) : a, .b = owned ? rt_snapshot(b) : b, .owned = owned};
}

static bool same_type(const nxd_type *a, const nxd_type *b) {
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == NXD_KIND_LIST || a->kind == NXD_KIND_MAP)
        return true; // their elements decide
    return a->family != 0 && a->family == b->family;
}

// False when the values differ; containers are compared later.
static bool compare_values(comparison *c, rt_value a, rt_value b) {
    if (!same_type(a.type, b.type))
        return false;
    switch (a.type->kind) {
    case NXD_KIND_FLOAT:
        return rt_word_float(a.word) == rt_word_float(b.word);
    case NXD_KIND_BOOL:
        return ((a.word ^ b.word) & 1) == 0;
    case NXD_KIND_NONE:
        return true;
    case NXD_KIND_STRING:
        return rt_string_equal((nxd_string *)rt_word_object(a.word), (nxd_string *)rt_word_object(b.word));
    case NXD_KIND_LIST:
    case NXD_KIND_MAP:
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_UNION:
    case NXD_KIND_CELL:
    case NXD_KIND_ENV:
        if (a.word != b.word)
            open_pair(c, rt_word_object(a.word), rt_word_object(b.word));
        return true;
    default:
        return a.word == b.word;
    }
}

static bool compare_words(comparison *c, nxd_word a, const nxd_type *a_type, nxd_word b, const nxd_type *b_type) {
    return compare_values(c, rt_value_of(a, a_type), rt_value_of(b, b_type));
}

static nxd_word element_at(const nxd_list *list, const nxd_type *element, int64_t index) {
    return element->form == NXD_FORM_BOOL ? ((uint8_t *)list->data)[index] : ((nxd_word *)list->data)[index];
}

static bool step_lists(comparison *c, equal_frame *top, bool *done) {
    nxd_list *a = (nxd_list *)top->a, *b = (nxd_list *)top->b;
    if (a->length != b->length)
        return false;
    const nxd_type *a_type = rt_type(rt_type_of(top->a)->element), *b_type = rt_type(rt_type_of(top->b)->element);
    int64_t depth = c->depth, count = a->length;
    while (c->depth == depth && c->frames[depth - 1].index < count) {
        int64_t index = c->frames[depth - 1].index++;
        if (!compare_words(c, element_at(a, a_type, index), a_type, element_at(b, b_type, index), b_type))
            return false;
    }
    *done = c->depth == depth;
    return true;
}

static bool step_maps(comparison *c, equal_frame *top, bool *done) {
    nxd_map *a = (nxd_map *)top->a, *b = (nxd_map *)top->b;
    const nxd_type *a_type = rt_type_of(top->a), *b_type = rt_type_of(top->b);
    if (nxd_map_length(a) != nxd_map_length(b) || rt_type(a_type->key)->form != rt_type(b_type->key)->form)
        return false;
    int64_t position = nxd_map_next(a, top->index);
    *done = position < 0;
    if (*done)
        return true;
    top->index = position + 1;
    nxd_word *other = nxd_map_find(b, nxd_map_key_at(a, position));
    return other != NULL && compare_words(c, nxd_map_value_at(a, position), rt_type(a_type->element), *other, rt_type(b_type->element));
}

static bool step_fields(comparison *c, equal_frame *top, bool *done) {
    const nxd_type *a_type = rt_type_of(top->a), *b_type = rt_type_of(top->b);
    const nxd_field *a_fields = a_type->fields, *b_fields = b_type->fields;
    const nxd_word *a = ((nxd_struct *)top->a)->fields, *b = ((nxd_struct *)top->b)->fields;
    int64_t count = a_type->field_count;
    if (a_type->kind == NXD_KIND_UNION) {
        int64_t tag = ((nxd_union *)top->a)->tag;
        if (tag != ((nxd_union *)top->b)->tag)
            return false;
        a_fields = a_type->variants[tag].fields;
        b_fields = b_type->variants[tag].fields;
        count = a_type->variants[tag].field_count;
        a = ((nxd_union *)top->a)->payload;
        b = ((nxd_union *)top->b)->payload;
    }
    int64_t index = top->index++;
    *done = index >= count;
    return *done || compare_words(c, a[index], rt_type(a_fields[index].type), b[index], rt_type(b_fields[index].type));
}

static void close_pair(comparison *c) {
    equal_frame *top = &c->frames[--c->depth];
    if (top->owned) {
        rt_drop(top->a);
        rt_drop(top->b);
    }
}

static bool equal_run(nxd_word a, nxd_word b, int64_t type, bool quiet) {
    comparison c = {.capacity = EQUAL_FIRST_FRAMES, .quiet = quiet};
    c.frames = c.first;
    bool equal = compare_words(&c, a, rt_type(type), b, rt_type(type));
    while (equal && c.depth != 0) {
        equal_frame *top = &c.frames[c.depth - 1];
        bool done = false;
        uint32_t kind = rt_type_of(top->a)->kind;
        if (kind == NXD_KIND_LIST)
            equal = step_lists(&c, top, &done);
        else if (kind == NXD_KIND_MAP)
            equal = step_maps(&c, top, &done);
        else
            equal = step_fields(&c, top, &done);
        if (equal && done)
            close_pair(&c);
    }
    while (c.depth != 0)
        close_pair(&c);
    if (c.frames != c.first)
        rt_free(c.frames, c.capacity * (int64_t)sizeof(equal_frame));
    rt_table_free(&c.met);
    return equal;
}

int64_t nxd_equal(nxd_word a, nxd_word b, int64_t type) {
    return equal_run(a, b, type, false);
}

bool rt_equal_private(nxd_word a, nxd_word b, int64_t type) {
    return equal_run(a, b, type, true);
}

// ---- order ---------------------------------------------------------------------------------------------------------------------------

// nan stands after every other float, so that sorting is well defined.
static int64_t compare_floats(double a, double b) {
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return (a != a) - (b != b);
}

static int64_t compare_in_order(rt_value a, rt_value b) {
    if (a.type->kind == NXD_KIND_STRING && b.type->kind == NXD_KIND_STRING)
        return rt_string_compare((nxd_string *)rt_word_object(a.word), (nxd_string *)rt_word_object(b.word));
    if (a.type->kind == NXD_KIND_FLOAT && b.type->kind == NXD_KIND_FLOAT)
        return compare_floats(rt_word_float(a.word), rt_word_float(b.word));
    if (a.type != b.type) // of different types: an order all the same
        return (a.type->kind > b.type->kind) - (a.type->kind < b.type->kind);
    if (a.type->form == NXD_FORM_PTR)
        return 0;
    return ((int64_t)a.word > (int64_t)b.word) - ((int64_t)a.word < (int64_t)b.word);
}

int64_t nxd_compare(nxd_word a, nxd_word b, int64_t type) {
    return compare_in_order(rt_value_of(a, rt_type(type)), rt_value_of(b, rt_type(type)));
}

// ---- hashes ---------------------------------------------------------------------------------------------------------------------------

enum { HASH_BUDGET = 256, HASH_DEPTH = 16 };

static uint64_t mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * UINT64_C(0x9FB21C651E98DF25);
    return hash ^ hash >> 32;
}

static uint64_t hash_float(double value) {
    return value == 0 ? 0 : value != value ? 1 : rt_float_word(value); // -0.0 equals 0.0
}

// Follows at most *budget values and HASH_DEPTH levels: what lies beyond does not count, so cyclic values end.
static uint64_t hash_value(rt_value value, int64_t *budget, int64_t depth) {
    uint64_t hash = value.type->kind + 1;
    if (--*budget < 0 || depth > HASH_DEPTH)
        return hash;
    nxd_object *object = value.type->form == NXD_FORM_PTR ? rt_word_object(value.word) : NULL;
    switch (value.type->kind) {
    case NXD_KIND_INT:
    case NXD_KIND_ENUM:
        return mix(hash, value.word);
    case NXD_KIND_BOOL:
        return mix(hash, value.word & 1);
    case NXD_KIND_FLOAT:
        return mix(hash, hash_float(rt_word_float(value.word)));
    case NXD_KIND_STRING:
        return rt_string_hash((nxd_string *)object);
    case NXD_KIND_MAP: // the order of entries does not count
        return mix(hash, (uint64_t)nxd_map_length((nxd_map *)object));
    case NXD_KIND_LIST:
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_UNION:
        break;
    default:
        return mix(hash, value.word);
    }
    nxd_object *seen = rt_snapshot(object);
    if (value.type->kind == NXD_KIND_LIST) {
        const nxd_list *list = (nxd_list *)seen;
        const nxd_type *element = rt_type(value.type->element);
        hash = mix(hash, (uint64_t)list->length);
        for (int64_t i = 0; i < list->length && *budget > 0; i++)
            hash = mix(hash, hash_value(rt_value_of(element_at(list, element, i), element), budget, depth + 1));
    } else {
        bool is_union = value.type->kind == NXD_KIND_UNION;
        int64_t tag = is_union ? ((nxd_union *)seen)->tag : 0;
        const nxd_field *fields = is_union ? value.type->variants[tag].fields : value.type->fields;
        int64_t count = is_union ? value.type->variants[tag].field_count : value.type->field_count;
        const nxd_word *words = is_union ? ((nxd_union *)seen)->payload : ((nxd_struct *)seen)->fields;
        hash = mix(hash, (uint64_t)tag);
        for (int64_t i = 0; i < count && *budget > 0; i++)
            hash = mix(hash, hash_value(rt_value_of(words[i], rt_type(fields[i].type)), budget, depth + 1));
    }
    rt_drop(seen);
    return hash;
}

uint64_t rt_hash(nxd_word value, int64_t type) {
    int64_t budget = HASH_BUDGET;
    uint64_t hash = hash_value(rt_value_of(value, rt_type(type)), &budget, 0);
    return hash == 0 ? 1 : hash;
}
