// Values of type any: boxing, casts, operators, fields and elements.
#include "testing.h"

static nxd_any integer(int64_t value) {
    return nxd_any_box((nxd_word)value, NXD_TYPE_INT);
}

static nxd_any real(double value) {
    return nxd_any_box(rt_float_word(value), NXD_TYPE_FLOAT);
}

// Applies an operator, compares the result's text, drops everything.
static bool gives(NXD_TAKE nxd_any a, int64_t op, NXD_TAKE nxd_any b, const char *expected) {
    nxd_rw result = nxd_any_binary(op, a, b);
    nxd_drop_any(a);
    nxd_drop_any(b);
    if (result.error != NULL)
        return is_error(result.error, expected);
    bool same = shows(result.value, NXD_TYPE_ANY, expected);
    nxd_drop_any(result.value);
    return same;
}

static void boxes(void) {
    int64_t values[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MIN / 2, INT64_MIN / 2 - 1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        nxd_rw back = nxd_any_cast(integer(values[i]), NXD_TYPE_INT);
        CHECK(back.error == NULL && (int64_t)back.value == values[i]);
    }
    CHECK(rt_word_float(nxd_any_cast(real(0.5), NXD_TYPE_FLOAT).value) == 0.5);
    CHECK(nxd_any_cast(NXD_ANY_TRUE, NXD_TYPE_BOOL).value == 1 && nxd_any_cast(nxd_any_box(0, NXD_TYPE_BOOL), NXD_TYPE_BOOL).value == 0);
    CHECK(nxd_any_cast(nxd_any_box(2, TYPE_COLOR), TYPE_COLOR).value == 2);
    CHECK(is_error(nxd_any_cast(integer(1), NXD_TYPE_STRING).error, "E5002: invalid cast: int to string: 1"));
    CHECK(is_error(nxd_any_cast(word(str("x")), NXD_TYPE_INT).error, "E5002: invalid cast: string to int: \"x\""));
    CHECK(is_error(nxd_any_cast(real(1), TYPE_COLOR).error, "E5002: invalid cast: float to COLOR: 1.0"));
    CHECK(is_error(nxd_any_cast(NXD_ANY_NONE, TYPE_PERSON).error, "E5002: invalid cast: none to PERSON"));
    CHECK(rt_word_float(nxd_any_as(integer(2), NXD_TYPE_FLOAT).value) == 2 && nxd_any_as(real(3), NXD_TYPE_INT).value == 3);
    CHECK(nxd_any_as(word(str("12")), NXD_TYPE_INT).value == 12 && is_error(nxd_any_as(NXD_ANY_TRUE, NXD_TYPE_INT).error, "E5002: invalid cast: bool to int: true"));
    CHECK(is_error(nxd_any_as(real(0.5), NXD_TYPE_INT).error, "E5002: invalid cast: float to int: 0.5"));
    CHECK(nxd_any_cast(NXD_ANY_NONE, TYPE_NODE_OR_NONE).value == NXD_ANY_NONE);
    CHECK(nxd_any_type(integer(1)) == NXD_TYPE_INT && nxd_any_type(NXD_ANY_NONE) == NXD_TYPE_NONE && nxd_any_type(nxd_any_box(1, TYPE_COLOR)) == TYPE_COLOR);
}

static void options(void) {
    CHECK(nxd_any_box(word(rt_option_none(NXD_TYPE_OPTION_INT)), NXD_TYPE_OPTION_INT) == NXD_ANY_NONE);
    CHECK(nxd_any_cast(NXD_ANY_NONE, NXD_TYPE_OPTION_STRING).value == word(rt_option_none(NXD_TYPE_OPTION_STRING)));
    nxd_any some = nxd_any_box(word(rt_option_some(NXD_TYPE_OPTION_INT, 5)), NXD_TYPE_OPTION_INT);
    CHECK(nxd_any_is_alike(some, NXD_TYPE_OPTION_ANY) && !nxd_any_is(some, NXD_TYPE_OPTION_ANY) && !nxd_any_is_alike(some, NXD_TYPE_RESULT_INT_STRING) && !nxd_any_is(some, NXD_TYPE_INT));
    nxd_string *name = str("SOME"), *none = str("NONE");
    CHECK(nxd_any_is_variant(some, name) && !nxd_any_is_variant(some, none) && nxd_any_is_variant(NXD_ANY_NONE, none));
    nxd_rw payload = nxd_any_payload(some, 0);
    CHECK(payload.error == NULL && payload.value == integer(5));
    nxd_rw wide = nxd_any_cast(some, NXD_TYPE_OPTION_ANY); // by payload
    CHECK(wide.error == NULL && shows(wide.value, NXD_TYPE_OPTION_ANY, "SOME(5)") && rt_word_object(wide.value)->type == NXD_TYPE_OPTION_ANY);
    nxd_rw narrow = nxd_any_cast(wide.value, NXD_TYPE_OPTION_INT);
    CHECK(narrow.error == NULL && shows(narrow.value, NXD_TYPE_OPTION_INT, "SOME(5)"));
    CHECK(is_error(nxd_any_cast(narrow.value, NXD_TYPE_OPTION_STRING).error, "E5002: invalid cast: OPTION<int> to OPTION<string>: SOME(5)"));
    nxd_drop(&name->head);
    nxd_drop(&none->head);
}

static void operators(void) {
    CHECK(gives(integer(2), NXD_OP_ADD, integer(3), "5") && gives(real(2), NXD_OP_MUL, real(1.5), "3.0"));
    CHECK(gives(integer(7), NXD_OP_DIV, integer(-2), "-3") && gives(integer(-7), NXD_OP_MOD, integer(2), "-1"));
    CHECK(gives(integer(INT64_MIN), NXD_OP_MOD, integer(-1), "0") && gives(integer(INT64_MIN), NXD_OP_DIV, integer(-1), "E1004: integer overflow"));
    CHECK(gives(integer(1), NXD_OP_DIV, integer(0), "E1005: division by zero") && gives(integer(2), NXD_OP_POW, integer(10), "1024"));
    CHECK(gives(integer(INT64_MAX), NXD_OP_ADD, integer(1), "E1004: integer overflow"));
    CHECK(gives(word(str("a")), NXD_OP_ADD, integer(1), "a1") && gives(NXD_ANY_NONE, NXD_OP_ADD, word(str("b")), "NONEb"));
    CHECK(gives(integer(1), NXD_OP_ADD, NXD_ANY_TRUE, "E1001: type mismatch: ADD of int and bool"));
    CHECK(gives(integer(1), NXD_OP_LT, integer(2), "true") && gives(word(str("b")), NXD_OP_LT, word(str("a")), "false"));
    CHECK(gives(integer(1), NXD_OP_LT, word(str("a")), "E1001: type mismatch: LT of int and string"));
    CHECK(gives(integer(1), NXD_OP_EQ, word(str("1")), "false") && gives(word(str("x")), NXD_OP_EQ, word(str("x")), "true"));
    CHECK(gives(word(str("b")), NXD_OP_IN, word(str("abc")), "true") && gives(word(str("abc")), NXD_OP_STARTSWITH, word(str("ab")), "true"));
    CHECK(gives(integer(2), NXD_OP_IN, word(ints(2, (int64_t[]){1, 2})), "true"));
    CHECK(gives(word(ints(2, (int64_t[]){1, 2})), NXD_OP_CONTAINS, word(str("x")), "false"));
    CHECK(gives(integer(2), NXD_OP_IN, integer(3), "E1001: type mismatch: IN of int and int"));
    nxd_rw negated = nxd_any_negate(integer(4));
    CHECK(negated.value == integer(-4) && nxd_any_truth(NXD_ANY_TRUE).value == 1);
    CHECK(is_error(nxd_any_truth(integer(1)).error, "E5002: invalid cast: int to bool: 1"));
}

static void fields(void) {
    nxd_any ann = word(person("Ann", 3));
    nxd_string *name = str("NAME"), *age = str("AGE"), *other = str("SIZE");
    nxd_rw got = nxd_any_field(ann, name);
    CHECK(got.error == NULL && is_text(as_string(got.value), "Ann"));
    CHECK(nxd_any_field(ann, age).value == integer(3));
    CHECK(is_error(nxd_any_field(ann, other).error, "E1001: type mismatch: PERSON has no field SIZE"));
    CHECK(is_error(nxd_any_field(integer(1), name).error, "E1001: type mismatch: int has no field NAME"));
    CHECK(nxd_any_set_field(ann, name, word(str("Bea"))) == NULL);
    CHECK(is_error(nxd_any_set_field(ann, age, word(str("x"))), "E5002: invalid cast: string to int: \"x\""));
    CHECK(shows(ann, NXD_TYPE_ANY, "PERSON { NAME: \"Bea\", AGE: 3 }"));
    nxd_drop_any(ann);
    nxd_drop(&name->head);
    nxd_drop(&age->head);
    nxd_drop(&other->head);
}

static void elements(void) {
    nxd_any list = word(ints(2, (int64_t[]){1, 2})), map = word(nxd_map_new(TYPE_MAP_STRING)), text = word(str("\xC3\xA4x"));
    CHECK(nxd_any_push(list, integer(3)) == NULL && nxd_any_index(list, integer(2)).value == integer(3));
    CHECK(is_error(nxd_any_push(list, word(str("x"))), "E5002: invalid cast: string to int: \"x\""));
    CHECK(is_error(nxd_any_push(map, integer(1)), "E1001: type mismatch: MAP<string, int> is no list"));
    CHECK(is_error(nxd_any_index(list, integer(3)).error, "E1002: index out of bounds: index 3, length 3"));
    CHECK(nxd_any_set_index(list, integer(0), integer(9)) == NULL);
    nxd_rw rest = nxd_any_slice(list, 1);
    CHECK(nxd_any_is_list(list) && !nxd_any_is_list(map) && rest.error == NULL && shows(rest.value, NXD_TYPE_LIST_INT, "[2, 3]"));
    rt_drop_word(rest.value, NXD_FORM_PTR);
    CHECK(is_error(nxd_any_slice(text, 0).error, "E1001: type mismatch: string is no list"));
    nxd_rw every = nxd_any_elements(list);
    CHECK(every.error == NULL && shows(every.value, NXD_TYPE_LIST_ANY, "[9, 2, 3]"));
    CHECK(is_error(nxd_any_elements(map).error, "E1001: type mismatch: MAP<string, int> is no list"));
    CHECK(nxd_list_remove_at((nxd_list *)rt_word_object(every.value), 1) == NULL);
    nxd_any_replace(list, (nxd_list *)rt_word_object(every.value));
    CHECK(shows(list, NXD_TYPE_ANY, "[9, 3]") && nxd_any_push(list, integer(4)) == NULL);
    rt_drop_word(every.value, NXD_FORM_PTR);
    nxd_string *key = str("k");
    CHECK(nxd_any_set_index(map, word(key), integer(7)) == NULL && nxd_any_index(map, word(key)).value == integer(7));
    CHECK(nxd_any_has(map, word(key)).value == 1 && is_error(nxd_any_index(map, integer(1)).error, "E5002: invalid cast: int to string: 1"));
    CHECK(nxd_any_length(list).value == 3 && nxd_any_length(map).value == 1 && nxd_any_length(text).value == 2);
    CHECK(is_error(nxd_any_length(NXD_ANY_NONE).error, "E1001: type mismatch: none has no length"));
    nxd_any all[] = {list, map, text};
    static const char *const shown[] = {"[9, 3, 4]", "[\"k\"]", "[\"\xC3\xA4\", \"x\"]"};
    for (int i = 0; i < 3; i++) {
        nxd_rw each = nxd_any_walk(all[i]);
        CHECK(each.error == NULL && shows(each.value, NXD_TYPE_ANY, shown[i]));
        rt_drop_word(each.value, NXD_FORM_PTR);
        nxd_drop_any(all[i]);
    }
    nxd_drop(&key->head);
}

static void equality(void) {
    nxd_struct *a = person("x", 1), *b = person("x", 1), *c = person("x", 2);
    CHECK(nxd_equal(word(a), word(b), TYPE_PERSON) && !nxd_equal(word(a), word(c), TYPE_PERSON));
    CHECK(rt_hash(word(a), TYPE_PERSON) == rt_hash(word(b), TYPE_PERSON) && rt_hash(word(a), TYPE_PERSON) != rt_hash(word(c), TYPE_PERSON));
    CHECK(!nxd_equal(rt_float_word(0.0 / 0.0), rt_float_word(0.0 / 0.0), NXD_TYPE_FLOAT) && nxd_equal(rt_float_word(0.0), rt_float_word(-0.0), NXD_TYPE_FLOAT));
    nxd_drop(&a->head);
    nxd_drop(&b->head);
    nxd_drop(&c->head);
    nxd_struct *one = node(1, NXD_ANY_NONE), *first = node(1, NXD_ANY_NONE), *second = node(1, word(first)); // cycles of length 1 and 2
    nxd_dup(&one->head);
    one->fields[1] = word(one);
    nxd_dup(&second->head);
    first->fields[1] = word(second);
    CHECK(nxd_equal(word(one), word(second), TYPE_NODE));
    rt_hash(word(one), TYPE_NODE);
    nxd_drop(&one->head);
    nxd_drop(&second->head);
}

int main(void) {
    RUN(boxes);
    RUN(options);
    RUN(operators);
    RUN(fields);
    RUN(elements);
    RUN(equality);
    return 0;
}
