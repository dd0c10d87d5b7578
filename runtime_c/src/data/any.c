// Values of type any: boxing, casts, and the operations found at run time.
//
// Purpose: what generated code does with a value whose type it does not know.
// Invariants: an any is a tagged 63-bit int, NONE, true, false, or a pointer to a headed object. The NONE of an OPTION is the immediate once it is boxed:
//   none and NONE are one value.
// Threads: reads and writes of shared objects go through the complete operations, which lock.
#include "nxd/error.h"
#include "nxd/format.h"
#include "nxd/list.h"
#include "nxd/map.h"
#include "nxd/option.h"
#include "nxd/string.h"
#include "nxd/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rt_value held_by(nxd_any value) {
    return rt_value_of(value, rt_type(NXD_TYPE_ANY));
}

static const char *name_of(nxd_any value) {
    return rt_value_type_name(held_by(value));
}

static nxd_any any_bool(bool value) {
    return value ? NXD_ANY_TRUE : NXD_ANY_FALSE;
}

// ---- boxing and casts ----------------------------------------------------------------------------------------------------------

static nxd_any box_word(nxd_word word, int64_t type) {
    nxd_box *box = (nxd_box *)rt_object_new(sizeof(nxd_box), type);
    box->value = word;
    return rt_ptr_word(box);
}

static nxd_any any_int(int64_t value) {
    int64_t doubled;
    if (__builtin_mul_overflow(value, 2, &doubled))
        return box_word((nxd_word)value, NXD_TYPE_INT);
    return (nxd_any)doubled | 1;
}

static bool is_option_none(const nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    return type->kind == NXD_KIND_UNION && type->family != 0 && type->family == rt_type(NXD_TYPE_OPTION_ANY)->family &&
           ((const nxd_union *)object)->tag == RT_NONE;
}

NXD_OWNED nxd_any nxd_any_box(NXD_TAKE nxd_word value, int64_t type) {
    const nxd_type *held = rt_type(type);
    switch (held->form) {
    case NXD_FORM_INT:
        return held->kind == NXD_KIND_ENUM ? rt_ptr_word(rt_unit(type, (int64_t)value)) : any_int((int64_t)value);
    case NXD_FORM_FLOAT:
        return box_word(value, NXD_TYPE_FLOAT);
    case NXD_FORM_BOOL:
        return any_bool((value & 1) != 0);
    case NXD_FORM_PTR:
        return is_option_none(rt_word_object(value)) ? NXD_ANY_NONE : value; // units are immortal: nothing to drop
    default:
        return value;
    }
}

// The same for a borrowed word.
static nxd_any box_borrowed(nxd_word word, int64_t type) {
    rt_dup_word(word, (int64_t)rt_type(type)->form);
    return nxd_any_box(word, type);
}

static bool same_function(const nxd_type *a, const nxd_type *b) {
    return a->kind == NXD_KIND_FUNCTION && b->kind == NXD_KIND_FUNCTION && strcmp(a->name, b->name) == 0;
}

// The word of a type that an any holds exactly, borrowed; false when it holds something else.
static bool unbox(nxd_any value, int64_t type, nxd_word *word) {
    const nxd_type *wanted = rt_type(type);
    rt_value held = held_by(value);
    *word = held.word;
    switch (wanted->kind) {
    case NXD_KIND_ANY:
        *word = value;
        return true;
    case NXD_KIND_NULLABLE:
        *word = value;
        return value == NXD_ANY_NONE || unbox(value, wanted->element, &(nxd_word){0});
    case NXD_KIND_NONE:
        *word = value;
        return value == NXD_ANY_NONE;
    case NXD_KIND_INT:
    case NXD_KIND_FLOAT:
    case NXD_KIND_BOOL:
        return held.type->kind == wanted->kind;
    default:
        if (value == NXD_ANY_NONE && wanted->kind == NXD_KIND_UNION && wanted->family == rt_type(NXD_TYPE_OPTION_ANY)->family &&
            wanted->family != 0) {
            *word = rt_ptr_word(rt_unit(type, RT_NONE));
            return true;
        }
        return held.type == wanted || same_function(held.type, wanted);
    }
}

// Whether a value is shown by more than its type.
static bool has_text(nxd_any value) {
    const nxd_type *type = held_by(value).type;
    switch (type->kind) {
    case NXD_KIND_NONE:
    case NXD_KIND_FUNCTION:
    case NXD_KIND_CHANNEL:
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        return false;
    default:
        return (type->flags & NXD_TYPE_OPAQUE) == 0;
    }
}

static nxd_rw any_cast_error(nxd_any value, int64_t type) {
    if (!has_text(value))
        return rt_fail(rt_error_format(NXD_E5002, "%s to %s", name_of(value), rt_type(type)->name));
    char before[256];
    snprintf(before, sizeof before, "%.100s to %.100s: ", name_of(value), rt_type(type)->name);
    return rt_fail(rt_error_value(NXD_E5002, before, value, NXD_TYPE_ANY));
}

// OPTION<int> to OPTION<any> and the like: the same variant with the payload converted.
static nxd_rw convert_union(const nxd_union *held, int64_t type) {
    int64_t tag = held->tag;
    const nxd_variant *from = &rt_type_of(&held->head)->variants[tag], *to = &rt_type(type)->variants[tag];
    if (to->field_count == 0)
        return rt_ok(rt_ptr_word(to->unit));
    nxd_union *made = (nxd_union *)rt_object_new((int64_t)sizeof(nxd_union) + 8 * (int64_t)to->field_count, type);
    made->tag = tag;
    for (uint32_t i = 0; i < to->field_count; i++) {
        nxd_any boxed = box_borrowed(held->payload[i], from->fields[i].type);
        nxd_rw field = nxd_any_cast(boxed, to->fields[i].type);
        if (field.error != NULL) {
            while (i-- > 0)
                rt_drop_word(made->payload[i], to->fields[i].form);
            rt_object_free(&made->head, rt_object_size(&made->head));
            return field;
        }
        made->payload[i] = field.value;
    }
    return rt_ok(rt_ptr_word(made));
}

static bool has_fields(const nxd_type *held) {
    return held->kind == NXD_KIND_STRUCT || held->kind == NXD_KIND_RECORD;
}

static int64_t number_of_field(const nxd_type *type, const char *name) {
    for (uint32_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

// A struct or record fits a record type that has some of its fields.
static bool fits_record(const nxd_type *held, const nxd_type *record) {
    for (uint32_t i = 0; i < record->field_count; i++) {
        int64_t field = number_of_field(held, record->fields[i].name);
        if (field < 0 || held->fields[field].type != record->fields[i].type)
            return false;
    }
    return true;
}

static nxd_rw convert_record(nxd_struct *held, int64_t type) {
    const nxd_type *from = rt_type_of(&held->head), *to = rt_type(type);
    nxd_struct *made = (nxd_struct *)rt_object_new((int64_t)sizeof(nxd_struct) + 8 * (int64_t)to->field_count, type);
    for (uint32_t i = 0; i < to->field_count; i++)
        made->fields[i] = nxd_struct_get(held, number_of_field(from, to->fields[i].name));
    return rt_ok(rt_ptr_word(made));
}

// CHANNEL<T> is a CHANNEL<any> as well, and the other way round: what goes through it is checked by SEND and RECV.
static bool channel_views(const nxd_type *a, const nxd_type *b) {
    return a->kind == NXD_KIND_CHANNEL && b->kind == NXD_KIND_CHANNEL &&
           (a->element == NXD_TYPE_ANY || b->element == NXD_TYPE_ANY);
}

nxd_rw nxd_any_cast(NXD_TAKE nxd_any value, int64_t type) {
    const nxd_type *wanted = rt_type(type);
    nxd_word word;
    if (unbox(value, type, &word) || channel_views(held_by(value).type, wanted)) {
        if (rt_any_is_object(value) && !rt_form_is_counted(wanted->form))
            rt_drop(rt_word_object(value)); // the box
        return rt_ok(word);
    }
    rt_value held = held_by(value);
    nxd_rw result;
    if (wanted->kind == NXD_KIND_UNION && wanted->family != 0 && held.type->family == wanted->family && held.type->kind == NXD_KIND_UNION)
        result = convert_union((nxd_union *)rt_word_object(value), type);
    else if (wanted->kind == NXD_KIND_RECORD && has_fields(held.type) && fits_record(held.type, wanted))
        result = convert_record((nxd_struct *)rt_word_object(value), type);
    else if (wanted->kind == NXD_KIND_NULLABLE) {
        result = nxd_any_cast(value, wanted->element); // consumes the value
        return result.error != NULL ? result : rt_ok(nxd_any_box(result.value, wanted->element));
    } else
        result = any_cast_error(value, type);
    if (result.error != NULL && wanted->kind == NXD_KIND_UNION && held.type->kind == NXD_KIND_UNION) {
        nxd_error_drop(result.error); // that of a payload: the types of the whole values say more
        result = any_cast_error(value, type);
    }
    nxd_drop_any(value);
    return result;
}

nxd_rw nxd_any_as(NXD_TAKE nxd_any value, int64_t type) {
    rt_value held = held_by(value);
    uint32_t from = held.type->kind, to = rt_type(type)->kind;
    nxd_rw result;
    if (to == NXD_KIND_STRING && (from == NXD_KIND_INT || from == NXD_KIND_FLOAT || from == NXD_KIND_BOOL || from == NXD_KIND_ENUM))
        result = rt_ok(rt_ptr_word(nxd_format(value, NXD_TYPE_ANY)));
    else if (to == NXD_KIND_FLOAT && from == NXD_KIND_INT)
        result = rt_ok(rt_float_word((double)(int64_t)held.word));
    else if (to == NXD_KIND_INT && from == NXD_KIND_FLOAT)
        result = nxd_float_to_int(rt_word_float(held.word));
    else if (to == NXD_KIND_INT && from == NXD_KIND_STRING)
        result = nxd_string_to_int((nxd_string *)rt_word_object(held.word));
    else if (to == NXD_KIND_FLOAT && from == NXD_KIND_STRING)
        result = nxd_string_to_float((nxd_string *)rt_word_object(held.word));
    else
        return nxd_any_cast(value, type);
    nxd_drop_any(value);
    return result;
}

int64_t nxd_any_type(nxd_any value) {
    return rt_any_is_object(value) ? (int64_t)rt_word_object(value)->type : rt_value_type(held_by(value));
}

int64_t nxd_any_is(nxd_any value, int64_t type) {
    nxd_word word;
    return unbox(value, type, &word);
}

int64_t nxd_any_is_alike(nxd_any value, int64_t type) {
    if (nxd_any_is(value, type))
        return 1;
    const nxd_type *held = held_by(value).type, *wanted = rt_type(type);
    if (held->kind != wanted->kind)
        return 0;
    switch (wanted->kind) {
    case NXD_KIND_LIST:
    case NXD_KIND_MAP:
    case NXD_KIND_CHANNEL:
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        return 1;
    default:
        return held->family != 0 && held->family == wanted->family;
    }
}

int64_t nxd_any_is_variant(nxd_any value, nxd_string *name) {
    if (value == NXD_ANY_NONE)
        return strcmp(name->data, "NONE") == 0;
    rt_value held = held_by(value);
    if (held.type->kind == NXD_KIND_UNION)
        return strcmp(held.type->variants[((nxd_union *)rt_word_object(value))->tag].name, name->data) == 0;
    return held.type->kind == NXD_KIND_ENUM && strcmp(held.type->variants[held.word].name, name->data) == 0;
}

// ---- operators -----------------------------------------------------------------------------------------------------------------

static const char *const operator_words[] = {
#define ROW(number, word) #word,
    NXD_ANY_OPERATORS(ROW)
#undef ROW
};

static nxd_rw undefined(int64_t op, nxd_any a, nxd_any b) {
    return rt_fail(rt_error_format(NXD_E1001, "%s of %s and %s", operator_words[op], name_of(a), name_of(b)));
}

static nxd_rw int_arithmetic(int64_t op, int64_t a, int64_t b) {
    int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case NXD_OP_ADD:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case NXD_OP_SUB:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case NXD_OP_MUL:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case NXD_OP_DIV:
    case NXD_OP_MOD:
        if (b == 0)
            return rt_fail(nxd_error_division());
        if (b == -1)
            overflow = op == NXD_OP_DIV && __builtin_sub_overflow(0, a, &result);
        else
            result = op == NXD_OP_DIV ? a / b : a % b;
        break;
    default: {
        nxd_rw power = nxd_int_pow(a, b);
        return power.error != NULL ? power : rt_ok(any_int((int64_t)power.value));
    }
    }
    return overflow ? rt_fail(nxd_error_overflow()) : rt_ok(any_int(result));
}

static nxd_rw float_arithmetic(int64_t op, double a, double b) {
    double result;
    switch (op) {
    case NXD_OP_ADD:
        result = a + b;
        break;
    case NXD_OP_SUB:
        result = a - b;
        break;
    case NXD_OP_MUL:
        result = a * b;
        break;
    case NXD_OP_DIV:
        result = a / b;
        break;
    case NXD_OP_MOD:
        result = fmod(a, b);
        break;
    default:
        result = pow(a, b);
    }
    return rt_ok(box_word(rt_float_word(result), NXD_TYPE_FLOAT));
}

static nxd_string *as_text(nxd_any value) {
    return nxd_format(value, NXD_TYPE_ANY);
}

static nxd_rw arithmetic(int64_t op, nxd_any a, nxd_any b) {
    rt_value left = held_by(a), right = held_by(b);
    if (op == NXD_OP_ADD && (left.type->kind == NXD_KIND_STRING || right.type->kind == NXD_KIND_STRING))
        return rt_ok(rt_ptr_word(nxd_append(as_text(a), b, NXD_TYPE_ANY)));
    if (left.type->kind == NXD_KIND_INT && right.type->kind == NXD_KIND_INT)
        return int_arithmetic(op, (int64_t)left.word, (int64_t)right.word);
    if (left.type->kind == NXD_KIND_FLOAT && right.type->kind == NXD_KIND_FLOAT)
        return float_arithmetic(op, rt_word_float(left.word), rt_word_float(right.word));
    return undefined(op, a, b);
}

static nxd_rw ordering(int64_t op, nxd_any a, nxd_any b) {
    rt_value left = held_by(a), right = held_by(b);
    uint32_t kind = left.type->kind;
    if (kind == NXD_KIND_FLOAT && right.type->kind == NXD_KIND_FLOAT) { // nan compares false
        double x = rt_word_float(left.word), y = rt_word_float(right.word);
        return rt_ok(any_bool(op == NXD_OP_GT ? x > y : op == NXD_OP_LT ? x < y : op == NXD_OP_GTE ? x >= y : x <= y));
    }
    bool ordered = kind == NXD_KIND_INT || kind == NXD_KIND_STRING || kind == NXD_KIND_ENUM || kind == NXD_KIND_BOOL;
    if (!ordered || left.type != right.type)
        return undefined(op, a, b);
    int64_t order = nxd_compare(a, b, NXD_TYPE_ANY);
    return rt_ok(any_bool(op == NXD_OP_GT ? order > 0 : op == NXD_OP_LT ? order < 0 : op == NXD_OP_GTE ? order >= 0 : order <= 0));
}

// Whether `whole` has `part`: an element, a key, or a part of a string.
static nxd_rw membership(int64_t op, nxd_any whole, nxd_any part) {
    rt_value container = held_by(whole), wanted = held_by(part);
    nxd_word word;
    switch (container.type->kind) {
    case NXD_KIND_STRING:
        if (wanted.type->kind != NXD_KIND_STRING || op == NXD_OP_HAS)
            break;
        return rt_ok(any_bool(nxd_string_contains((nxd_string *)rt_word_object(whole), (nxd_string *)rt_word_object(part))));
    case NXD_KIND_LIST:
        if (op == NXD_OP_HAS)
            break;
        return rt_ok(any_bool(unbox(part, container.type->element, &word) && nxd_list_contains((nxd_list *)rt_word_object(whole), word)));
    case NXD_KIND_MAP:
        return rt_ok(any_bool(unbox(part, container.type->key, &word) && nxd_map_has((nxd_map *)rt_word_object(whole), word)));
    default:
        break;
    }
    return undefined(op, whole, part);
}

static nxd_rw affix(int64_t op, nxd_any a, nxd_any b) {
    if (held_by(a).type->kind != NXD_KIND_STRING || held_by(b).type->kind != NXD_KIND_STRING)
        return undefined(op, a, b);
    nxd_string *text = (nxd_string *)rt_word_object(a), *part = (nxd_string *)rt_word_object(b);
    return rt_ok(any_bool(op == NXD_OP_STARTSWITH ? nxd_string_starts_with(text, part) : nxd_string_ends_with(text, part)));
}

nxd_rw nxd_any_binary(int64_t op, nxd_any a, nxd_any b) {
    switch (op) {
    case NXD_OP_EQ:
        return rt_ok(any_bool(nxd_equal(a, b, NXD_TYPE_ANY)));
    case NXD_OP_NEQ:
        return rt_ok(any_bool(!nxd_equal(a, b, NXD_TYPE_ANY)));
    case NXD_OP_GT:
    case NXD_OP_LT:
    case NXD_OP_GTE:
    case NXD_OP_LTE:
        return ordering(op, a, b);
    case NXD_OP_IN:
        return membership(op, b, a);
    case NXD_OP_HAS:
    case NXD_OP_CONTAINS:
        return membership(op, a, b);
    case NXD_OP_STARTSWITH:
    case NXD_OP_ENDSWITH:
        return affix(op, a, b);
    default:
        return arithmetic(op, a, b);
    }
}

nxd_rw nxd_any_negate(nxd_any a) {
    rt_value held = held_by(a);
    int64_t result;
    if (held.type->kind == NXD_KIND_FLOAT)
        return rt_ok(box_word(rt_float_word(-rt_word_float(held.word)), NXD_TYPE_FLOAT));
    if (held.type->kind != NXD_KIND_INT)
        return rt_fail(rt_error_format(NXD_E1001, "SUB of %s", name_of(a)));
    if (__builtin_sub_overflow(0, (int64_t)held.word, &result))
        return rt_fail(nxd_error_overflow());
    return rt_ok(any_int(result));
}

nxd_rw nxd_any_truth(nxd_any a) {
    if (a != NXD_ANY_TRUE && a != NXD_ANY_FALSE)
        return any_cast_error(a, NXD_TYPE_BOOL);
    return rt_ok(a == NXD_ANY_TRUE);
}

// ---- fields and elements ---------------------------------------------------------------------------------------------------------

// The number of a field, or -1 with the error.
static int64_t field_number(nxd_any value, nxd_string *name, nxd_error **error) {
    rt_value held = held_by(value);
    int64_t field = has_fields(held.type) ? number_of_field(held.type, name->data) : -1;
    if (field >= 0)
        return field;
    *error = rt_error_format(NXD_E1001, "%s has no field %s", name_of(value), name->data);
    return -1;
}

nxd_rw nxd_any_field(nxd_any value, nxd_string *name) {
    nxd_error *error = NULL;
    int64_t field = field_number(value, name, &error);
    if (error != NULL)
        return rt_fail(error);
    nxd_struct *object = (nxd_struct *)rt_word_object(value);
    return rt_ok(nxd_any_box(nxd_struct_get(object, field), rt_type_of(&object->head)->fields[field].type));
}

nxd_error *nxd_any_set_field(nxd_any value, nxd_string *name, NXD_TAKE nxd_any field_value) {
    nxd_error *error = NULL;
    int64_t field = field_number(value, name, &error);
    if (error != NULL) {
        nxd_drop_any(field_value);
        return error;
    }
    nxd_struct *object = (nxd_struct *)rt_word_object(value);
    nxd_rw cast = nxd_any_cast(field_value, rt_type_of(&object->head)->fields[field].type);
    if (cast.error == NULL)
        nxd_struct_set(object, field, cast.value);
    return cast.error;
}

static nxd_rw wrong(const char *what, nxd_any value) {
    return rt_fail(rt_error_format(NXD_E1001, "%s %s", name_of(value), what));
}

static nxd_rw boxed(nxd_rw result, int64_t type) {
    if (result.error == NULL)
        result.value = nxd_any_box(result.value, type);
    return result;
}

nxd_rw nxd_any_channel(nxd_any value) {
    if (held_by(value).type->kind != NXD_KIND_CHANNEL)
        return wrong("is no channel", value);
    rt_dup(rt_word_object(value));
    return rt_ok(value);
}

nxd_rw nxd_any_handle(nxd_any value) {
    uint32_t kind = held_by(value).type->kind;
    if (kind != NXD_KIND_TASK && kind != NXD_KIND_PROCESS)
        return wrong("is no task and no process", value);
    rt_dup(rt_word_object(value));
    return rt_ok(value);
}

nxd_rw nxd_any_index(nxd_any value, nxd_any index) {
    rt_value container = held_by(value), at = held_by(index);
    nxd_word key;
    switch (container.type->kind) {
    case NXD_KIND_STRING:
        if (at.type->kind != NXD_KIND_INT)
            return any_cast_error(index, NXD_TYPE_INT);
        return nxd_string_at((nxd_string *)rt_word_object(value), (int64_t)at.word);
    case NXD_KIND_LIST:
        if (at.type->kind != NXD_KIND_INT)
            return any_cast_error(index, NXD_TYPE_INT);
        return boxed(nxd_list_get((nxd_list *)rt_word_object(value), (int64_t)at.word), container.type->element);
    case NXD_KIND_MAP:
        if (!unbox(index, container.type->key, &key))
            return any_cast_error(index, container.type->key);
        return boxed(nxd_map_get((nxd_map *)rt_word_object(value), key), container.type->element);
    default:
        return wrong("cannot be indexed", value);
    }
}

nxd_error *nxd_any_set_index(nxd_any value, nxd_any index, NXD_TAKE nxd_any element) {
    rt_value container = held_by(value), at = held_by(index);
    uint32_t kind = container.type->kind;
    nxd_word key = 0;
    nxd_rw failed = {0};
    if (kind == NXD_KIND_LIST && at.type->kind != NXD_KIND_INT)
        failed = any_cast_error(index, NXD_TYPE_INT);
    else if (kind == NXD_KIND_MAP && !unbox(index, container.type->key, &key))
        failed = any_cast_error(index, container.type->key);
    else if (kind != NXD_KIND_LIST && kind != NXD_KIND_MAP)
        failed = wrong("has no elements that can be set", value);
    if (failed.error != NULL) {
        nxd_drop_any(element);
        return failed.error;
    }
    nxd_rw cast = nxd_any_cast(element, container.type->element);
    if (cast.error != NULL)
        return cast.error;
    if (kind == NXD_KIND_LIST)
        return nxd_list_set((nxd_list *)rt_word_object(value), (int64_t)at.word, cast.value);
    rt_dup_word(key, (int64_t)rt_type(container.type->key)->form);
    nxd_map_set((nxd_map *)rt_word_object(value), key, cast.value);
    return NULL;
}

nxd_error *nxd_any_remove(nxd_any value, nxd_any index) {
    rt_value container = held_by(value), at = held_by(index);
    nxd_word key = 0;
    if (container.type->kind == NXD_KIND_LIST) {
        if (at.type->kind != NXD_KIND_INT)
            return any_cast_error(index, NXD_TYPE_INT).error;
        return nxd_list_remove_at((nxd_list *)rt_word_object(value), (int64_t)at.word);
    }
    if (container.type->kind != NXD_KIND_MAP)
        return wrong("has no elements that can be removed", value).error;
    if (!unbox(index, container.type->key, &key))
        return any_cast_error(index, container.type->key).error;
    nxd_map_remove((nxd_map *)rt_word_object(value), key);
    return NULL;
}

nxd_error *nxd_any_push(nxd_any value, NXD_TAKE nxd_any element) {
    rt_value container = held_by(value);
    if (container.type->kind != NXD_KIND_LIST) {
        nxd_drop_any(element);
        return wrong("is no list", value).error;
    }
    nxd_rw cast = nxd_any_cast(element, container.type->element);
    if (cast.error == NULL)
        nxd_list_push((nxd_list *)rt_word_object(value), cast.value);
    return cast.error;
}

nxd_rw nxd_any_length(nxd_any value) {
    switch (held_by(value).type->kind) {
    case NXD_KIND_STRING:
        return rt_ok((nxd_word)((nxd_string *)rt_word_object(value))->chars);
    case NXD_KIND_LIST:
        return rt_ok((nxd_word)nxd_list_length((nxd_list *)rt_word_object(value)));
    case NXD_KIND_MAP:
        return rt_ok((nxd_word)nxd_map_length((nxd_map *)rt_word_object(value)));
    default:
        return wrong("has no length", value);
    }
}

// The keys (or values) of a map, boxed.
static nxd_list *box_entries(nxd_map *map, bool keys) {
    nxd_map *seen = (nxd_map *)rt_snapshot((nxd_object *)map);
    const nxd_type *type = rt_type_of((nxd_object *)map);
    nxd_list *out = nxd_list_new(NXD_TYPE_LIST_ANY, nxd_map_length(seen));
    for (int64_t i = nxd_map_next(seen, 0); i >= 0; i = nxd_map_next(seen, i + 1)) {
        nxd_any one = keys ? box_borrowed(nxd_map_key_at(seen, i), type->key) : box_borrowed(nxd_map_value_at(seen, i), type->element);
        rt_list_add(out, NXD_FORM_ANY, one);
    }
    rt_drop((nxd_object *)seen);
    return out;
}

nxd_rw nxd_any_walk(nxd_any value) {
    switch (held_by(value).type->kind) {
    case NXD_KIND_LIST:
    case NXD_KIND_CHANNEL:
        rt_dup(rt_word_object(value));
        return rt_ok(value);
    case NXD_KIND_MAP:
        return rt_ok(rt_ptr_word(box_entries((nxd_map *)rt_word_object(value), true)));
    case NXD_KIND_STRING:
        return rt_ok(rt_ptr_word(nxd_string_split((nxd_string *)rt_word_object(value), rt_string_empty())));
    default:
        return wrong("cannot be iterated", value);
    }
}

nxd_any rt_any_element(nxd_list *list, int64_t index, int64_t *more) {
    nxd_rw element = nxd_list_get(list, index);
    *more = element.error == NULL;
    if (element.error != NULL) {
        nxd_error_drop(element.error);
        return NXD_ANY_NONE;
    }
    return nxd_any_box(element.value, rt_list_element(list));
}

nxd_rw nxd_any_walk_keys(nxd_any value) {
    return held_by(value).type->kind == NXD_KIND_MAP ? nxd_any_walk(value) : wrong("has no keys", value);
}

nxd_rw nxd_any_payload(nxd_any value, int64_t index) {
    rt_value held = held_by(value);
    if (held.type->kind != NXD_KIND_UNION)
        return wrong("has no payload", value);
    const nxd_union *object = (nxd_union *)rt_word_object(value);
    const nxd_variant *variant = &held.type->variants[object->tag];
    if (index < 0 || index >= (int64_t)variant->field_count)
        return wrong("has a smaller payload", value);
    return rt_ok(box_borrowed(object->payload[index], variant->fields[index].type));
}

int64_t nxd_any_is_list(nxd_any value) {
    return held_by(value).type->kind == NXD_KIND_LIST;
}

nxd_rw nxd_any_elements(nxd_any value) {
    if (!nxd_any_is_list(value))
        return wrong("is no list", value);
    nxd_list *seen = (nxd_list *)rt_snapshot(rt_word_object(value));
    nxd_list *out = nxd_list_new(NXD_TYPE_LIST_ANY, seen->length);
    for (int64_t i = 0; i < seen->length; i++)
        rt_list_add(out, NXD_FORM_ANY, nxd_any_box(nxd_list_get(seen, i).value, rt_list_element(seen)));
    rt_drop(&seen->head);
    return rt_ok(rt_ptr_word(out));
}

void nxd_any_replace(nxd_any value, nxd_list *elements) {
    nxd_list *list = (nxd_list *)rt_word_object(value);
    int64_t element = rt_list_element(list);
    nxd_list *out = nxd_list_new(list->head.type, elements->length);
    for (int64_t i = 0; i < elements->length; i++)
        rt_list_add(out, rt_type(element)->form, nxd_any_cast(nxd_list_get(elements, i).value, element).value);
    nxd_list_replace(list, out);
}

nxd_rw nxd_any_slice(nxd_any value, int64_t from) {
    if (!nxd_any_is_list(value))
        return wrong("is no list", value);
    nxd_list *seen = (nxd_list *)rt_snapshot(rt_word_object(value));
    nxd_rw slice = nxd_list_slice(seen, from, seen->length);
    rt_drop(&seen->head);
    return slice;
}

// ---- prelude functions on any ------------------------------------------------------------------------------------------------------

nxd_rw nxd_any_has(nxd_any map, nxd_any key) {
    nxd_rw found = membership(NXD_OP_HAS, map, key);
    if (found.error == NULL)
        found.value = found.value == NXD_ANY_TRUE;
    return found;
}

nxd_rw nxd_any_keys(nxd_any map) {
    if (held_by(map).type->kind != NXD_KIND_MAP)
        return wrong("is no map", map);
    return rt_ok(rt_ptr_word(box_entries((nxd_map *)rt_word_object(map), true)));
}

nxd_rw nxd_any_values(nxd_any map) {
    if (held_by(map).type->kind != NXD_KIND_MAP)
        return wrong("is no map", map);
    return rt_ok(rt_ptr_word(box_entries((nxd_map *)rt_word_object(map), false)));
}
