// The program the C tests pretend to belong to: its type descriptors, and the hooks of the scheduler.
#include "testing.h"

#include "nxd/cycles.h"

#define UNIT(name, type_number, variant) static nxd_union name = {{0, type_number}, variant}

UNIT(none_int, NXD_TYPE_OPTION_INT, 1);
UNIT(none_string, NXD_TYPE_OPTION_STRING, 1);
UNIT(none_any, NXD_TYPE_OPTION_ANY, 1);
UNIT(red, TYPE_COLOR, 0);
UNIT(green, TYPE_COLOR, 1);
UNIT(blue, TYPE_COLOR, 2);
UNIT(point, TYPE_SHAPE, 2);

#define FIELD(name, type, form) {name, type, form}
#define COUNT(array) (sizeof array / sizeof array[0])

static const nxd_field int_payload[] = {FIELD("", NXD_TYPE_INT, NXD_FORM_INT)};
static const nxd_field float_payload[] = {FIELD("", NXD_TYPE_FLOAT, NXD_FORM_FLOAT)};
static const nxd_field two_floats[] = {FIELD("", NXD_TYPE_FLOAT, NXD_FORM_FLOAT), FIELD("", NXD_TYPE_FLOAT, NXD_FORM_FLOAT)};
static const nxd_field string_payload[] = {FIELD("", NXD_TYPE_STRING, NXD_FORM_PTR)};
static const nxd_field any_payload[] = {FIELD("", NXD_TYPE_ANY, NXD_FORM_ANY)};
static const nxd_field person_fields[] = {FIELD("NAME", NXD_TYPE_STRING, NXD_FORM_PTR), FIELD("AGE", NXD_TYPE_INT, NXD_FORM_INT)};
static const nxd_field node_fields[] = {FIELD("VALUE", NXD_TYPE_INT, NXD_FORM_INT), FIELD("NEXT", TYPE_NODE_OR_NONE, NXD_FORM_ANY)};
static const nxd_field record_fields[] = {FIELD("A", NXD_TYPE_INT, NXD_FORM_INT), FIELD("B", NXD_TYPE_STRING, NXD_FORM_PTR)};
static const nxd_field point_fields[] = {FIELD("X", NXD_TYPE_INT, NXD_FORM_INT), FIELD("Y", NXD_TYPE_INT, NXD_FORM_INT)};
static const nxd_field cell_fields[] = {FIELD("", NXD_TYPE_STRING, NXD_FORM_PTR)};
static const nxd_field closure_fields[] = {FIELD("", TYPE_CELL, NXD_FORM_PTR)};
static const nxd_field box_fields[] = {FIELD("VALUE", NXD_TYPE_INT, NXD_FORM_INT)};
static const nxd_field time_fields[] = {
    FIELD("YEAR", NXD_TYPE_INT, NXD_FORM_INT), FIELD("MONTH", NXD_TYPE_INT, NXD_FORM_INT), FIELD("DAY", NXD_TYPE_INT, NXD_FORM_INT),
    FIELD("HOUR", NXD_TYPE_INT, NXD_FORM_INT), FIELD("MIN", NXD_TYPE_INT, NXD_FORM_INT),   FIELD("SEC", NXD_TYPE_INT, NXD_FORM_INT),
    FIELD("WEEKDAY", NXD_TYPE_INT, NXD_FORM_INT)};

static const nxd_variant option_int[] = {{"SOME", 1, 0, int_payload, NULL}, {"NONE", 0, 0, NULL, &none_int}};
static const nxd_variant option_string[] = {{"SOME", 1, 0, string_payload, NULL}, {"NONE", 0, 0, NULL, &none_string}};
static const nxd_variant option_any[] = {{"SOME", 1, 0, any_payload, NULL}, {"NONE", 0, 0, NULL, &none_any}};
static const nxd_variant result_int[] = {{"OK", 1, 0, int_payload, NULL}, {"ERR", 1, 0, string_payload, NULL}};
static const nxd_variant result_float[] = {{"OK", 1, 0, float_payload, NULL}, {"ERR", 1, 0, string_payload, NULL}};
static const nxd_variant colors[] = {{"RED", 0, 0, NULL, &red}, {"GREEN", 0, 0, NULL, &green}, {"BLUE", 0, 0, NULL, &blue}};
static const nxd_variant shapes[] = {
    {"CIRCLE", 1, 0, float_payload, NULL}, {"RECT", 2, 0, two_floats, NULL}, {"POINT", 0, 0, NULL, &point}};

enum { MUTABLE = NXD_TYPE_MUTABLE, CONSTANT = NXD_TYPE_DEEP_IMMUTABLE, CYCLIC = NXD_TYPE_CYCLIC, OPTION = 1, RESULT = 2 };

#define SIMPLE(number, name, kind, form) [number] = &(const nxd_type){name, kind, form, CONSTANT, 0, 0, 0, 0, 0, NULL, NULL}
#define LIST(number, name, flags, element) \
    [number] = &(const nxd_type){name, NXD_KIND_LIST, NXD_FORM_PTR, flags, 0, element, 0, 0, 0, NULL, NULL}
#define MAP(number, name, key, value) \
    [number] = &(const nxd_type){name, NXD_KIND_MAP, NXD_FORM_PTR, MUTABLE, 0, value, key, 0, 0, NULL, NULL}
#define FIELDS(number, name, kind, flags, fields) \
    [number] = &(const nxd_type){name, kind, NXD_FORM_PTR, flags, 0, 0, 0, COUNT(fields), 0, fields, NULL}
#define UNION(number, name, family, variants) \
    [number] = &(const nxd_type){name, NXD_KIND_UNION, NXD_FORM_PTR, CONSTANT, family, 0, 0, 0, COUNT(variants), NULL, variants}

static const nxd_type *const types[TYPE_COUNT] = {
    SIMPLE(NXD_TYPE_INT, "int", NXD_KIND_INT, NXD_FORM_INT),
    SIMPLE(NXD_TYPE_FLOAT, "float", NXD_KIND_FLOAT, NXD_FORM_FLOAT),
    SIMPLE(NXD_TYPE_BOOL, "bool", NXD_KIND_BOOL, NXD_FORM_BOOL),
    SIMPLE(NXD_TYPE_NONE, "none", NXD_KIND_NONE, NXD_FORM_ANY),
    SIMPLE(NXD_TYPE_STRING, "string", NXD_KIND_STRING, NXD_FORM_PTR),
    [NXD_TYPE_ANY] = &(const nxd_type){"any", NXD_KIND_ANY, NXD_FORM_ANY, 0, 0, 0, 0, 0, 0, NULL, NULL},
    LIST(NXD_TYPE_LIST_ANY, "LIST<any>", MUTABLE | CYCLIC, NXD_TYPE_ANY),
    LIST(NXD_TYPE_LIST_STRING, "LIST<string>", MUTABLE, NXD_TYPE_STRING),
    LIST(NXD_TYPE_LIST_INT, "LIST<int>", MUTABLE, NXD_TYPE_INT),
    UNION(NXD_TYPE_OPTION_INT, "OPTION<int>", OPTION, option_int),
    UNION(NXD_TYPE_OPTION_STRING, "OPTION<string>", OPTION, option_string),
    UNION(NXD_TYPE_OPTION_ANY, "OPTION<any>", OPTION, option_any),
    UNION(NXD_TYPE_RESULT_INT_STRING, "RESULT<int, string>", RESULT, result_int),
    UNION(NXD_TYPE_RESULT_FLOAT_STRING, "RESULT<float, string>", RESULT, result_float),
    LIST(NXD_TYPE_LIST_FLOAT, "LIST<float>", MUTABLE, NXD_TYPE_FLOAT),
    LIST(NXD_TYPE_LIST_BOOL, "LIST<bool>", MUTABLE, NXD_TYPE_BOOL),
    FIELDS(NXD_TYPE_TIMEINFO, "TIMEINFO", NXD_KIND_RECORD, CONSTANT, time_fields),
    SIMPLE(17, "", NXD_KIND_NONE, NXD_FORM_ANY),
    SIMPLE(18, "", NXD_KIND_NONE, NXD_FORM_ANY),
    SIMPLE(19, "", NXD_KIND_NONE, NXD_FORM_ANY),
    FIELDS(TYPE_PERSON, "PERSON", NXD_KIND_STRUCT, MUTABLE, person_fields),
    FIELDS(TYPE_NODE, "NODE", NXD_KIND_STRUCT, MUTABLE | CYCLIC, node_fields),
    [TYPE_NODE_OR_NONE] = &(const nxd_type){"NODE", NXD_KIND_NULLABLE, NXD_FORM_ANY, 0, 0, TYPE_NODE, 0, 0, 0, NULL, NULL},
    MAP(TYPE_MAP_INT, "MAP<int, int>", NXD_TYPE_INT, NXD_TYPE_INT),
    MAP(TYPE_MAP_STRING, "MAP<string, int>", NXD_TYPE_STRING, NXD_TYPE_INT),
    [TYPE_COLOR] = &(const nxd_type){"COLOR", NXD_KIND_ENUM, NXD_FORM_INT, CONSTANT, 0, 0, 0, 0, 3, NULL, colors},
    UNION(TYPE_SHAPE, "SHAPE", 0, shapes),
    FIELDS(TYPE_RECORD, "{ A: int, B: string }", NXD_KIND_RECORD, CONSTANT, record_fields),
    MAP(TYPE_MAP_PERSON, "MAP<PERSON, int>", TYPE_PERSON, NXD_TYPE_INT),
    LIST(TYPE_LIST_PERSON, "LIST<PERSON>", MUTABLE, TYPE_PERSON),
    MAP(TYPE_MAP_ANY, "MAP<string, any>", NXD_TYPE_STRING, NXD_TYPE_ANY),
    LIST(TYPE_LIST_NODE, "LIST<NODE>", MUTABLE, TYPE_NODE),
    FIELDS(TYPE_POINT, "POINT", NXD_KIND_STRUCT, CONSTANT, point_fields),
    MAP(TYPE_MAP_POINT, "MAP<POINT, int>", TYPE_POINT, NXD_TYPE_INT),
    FIELDS(TYPE_CELL, "string", NXD_KIND_CELL, MUTABLE, cell_fields),
    FIELDS(TYPE_CLOSURE, "fn(): string", NXD_KIND_FUNCTION, 0, closure_fields),
    FIELDS(TYPE_BOX, "BOX<int>", NXD_KIND_STRUCT, MUTABLE, box_fields),
    MAP(TYPE_MAP_LIST, "MAP<string, LIST<int>>", NXD_TYPE_STRING, NXD_TYPE_LIST_INT),
};

const nxd_program nxd_program_main = {.types = types, .type_count = TYPE_COUNT, .flags = 1, .version = "test"};

// ---- hooks ---------------------------------------------------------------------------------------------------------------------

static rt_cycle_buffer buffer;

rt_cycle_buffer *rt_hook_cycle_buffer(void) {
    return &buffer;
}

void test_collect(void) {
    rt_cycles_end(&buffer);
}

void rt_hook_out_of_memory(void) {
}

void rt_hook_blocking_begin(nxd_process *self) {
    (void)self;
}

void rt_hook_blocking_end(nxd_process *self) {
    (void)self;
}

void rt_hook_channel_destroy(nxd_channel *channel, rt_pending *pending) {
    (void)channel;
    (void)pending;
}

void rt_hook_handle_destroy(nxd_handle *handle, rt_pending *pending) {
    (void)handle;
    (void)pending;
}
