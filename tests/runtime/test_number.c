// Numbers: shortest floats, parsing, integer powers.
#include "testing.h"

#include <math.h>

static bool float_is(double value, const char *expected) {
    return shows(rt_float_word(value), NXD_TYPE_FLOAT, expected);
}

static void layouts(void) {
    CHECK(float_is(3, "3.0"));
    CHECK(float_is(0, "0.0"));
    CHECK(float_is(-0.0, "-0.0"));
    CHECK(float_is(0.1, "0.1"));
    CHECK(float_is(1e300, "1e+300"));
    CHECK(float_is(1e16, "1e+16"));
    CHECK(float_is(1e15, "1000000000000000.0"));
    CHECK(float_is(123456789012345680.0, "1.2345678901234568e+17"));
    CHECK(float_is(0.0001, "0.0001"));
    CHECK(float_is(0.00001, "1e-05"));
    CHECK(float_is(1.5e-7, "1.5e-07"));
    CHECK(float_is(5e-324, "5e-324"));
    CHECK(float_is(1.7976931348623157e308, "1.7976931348623157e+308"));
    CHECK(float_is(2.2250738585072014e-308, "2.2250738585072014e-308"));
    CHECK(float_is(9007199254740993.0, "9007199254740992.0"));
    CHECK(float_is(NAN, "nan") && float_is(INFINITY, "inf") && float_is(-INFINITY, "-inf"));
    CHECK(float_is(2.0 / 3.0, "0.6666666666666666"));
}

static void ints_of_every_length(void) {
    uint64_t value = 1;
    for (int length = 1; length <= 19; length++, value *= 10)
        for (int64_t near = -1; near <= 1; near++) {
            int64_t number = (int64_t)(value + (uint64_t)near);
            char expected[32], digits[32];
            snprintf(expected, sizeof expected, "%lld", (long long)number);
            digits[rt_int_digits(number, digits)] = 0;
            CHECK(strcmp(digits, expected) == 0);
            snprintf(expected, sizeof expected, "%lld", (long long)-number);
            digits[rt_int_digits(-number, digits)] = 0;
            CHECK(strcmp(digits, expected) == 0);
        }
}

// Random doubles read back, and no shorter text would.
static void round_trips(void) {
    uint64_t state = 42;
    for (int i = 0; i < 200000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = rt_word_float(state ^ state >> 29);
        if (value != value || isinf(value))
            continue;
        char digits[48];
        digits[rt_float_digits(value, digits)] = 0;
        CHECK(strtod(digits, NULL) == value);
        if (i % 64 == 0) {
            char shorter[64];
            int64_t count = 0;
            for (const char *c = digits; *c != 0 && *c != 'e'; c++)
                count += *c >= '0' && *c <= '9';
            if (count > 1 && count <= 17 && strchr(digits, 'e') != NULL) {
                snprintf(shorter, sizeof shorter, "%.*e", (int)count - 2 < 0 ? 0 : (int)count - 2, value);
                CHECK(strtod(shorter, NULL) != value);
            }
        }
    }
}

static void parsing(void) {
    static const struct {
        const char *text;
        const char *as_int, *as_float;
    } cases[] = {
        {"42", "OK(42)", "OK(42.0)"},
        {"-9223372036854775808", "OK(-9223372036854775808)", "OK(-9.223372036854776e+18)"},
        {"9223372036854775808", "ERR(\"not an int: \\\"9223372036854775808\\\"\")", "OK(9.223372036854776e+18)"},
        {"", "ERR(\"not an int: \\\"\\\"\")", "ERR(\"not a number: \\\"\\\"\")"},
        {"-", "ERR(\"not an int: \\\"-\\\"\")", "ERR(\"not a number: \\\"-\\\"\")"},
        {"1e3", "ERR(\"not an int: \\\"1e3\\\"\")", "OK(1000.0)"},
        {"1e", "ERR(\"not an int: \\\"1e\\\"\")", "ERR(\"not a number: \\\"1e\\\"\")"},
        {".5", "ERR(\"not an int: \\\".5\\\"\")", "OK(0.5)"},
        {"0x10", "ERR(\"not an int: \\\"0x10\\\"\")", "ERR(\"not a number: \\\"0x10\\\"\")"},
        {"inf", "ERR(\"not an int: \\\"inf\\\"\")", "OK(inf)"},
        {"5 ", "ERR(\"not an int: \\\"5 \\\"\")", "ERR(\"not a number: \\\"5 \\\"\")"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        nxd_string *text = str(cases[i].text);
        nxd_union *as_int = nxd_string_parse_int(text), *as_float = nxd_string_parse_float(text);
        CHECK(shows(word(as_int), NXD_TYPE_RESULT_INT_STRING, cases[i].as_int));
        CHECK(shows(word(as_float), NXD_TYPE_RESULT_FLOAT_STRING, cases[i].as_float));
        nxd_drop(&as_int->head);
        nxd_drop(&as_float->head);
        nxd_drop(&text->head);
    }
    nxd_string *bad = str("x1");
    CHECK(is_error(nxd_string_to_int(bad).error, "E5002: invalid cast: string to int: \"x1\""));
    CHECK(is_error(nxd_string_to_float(bad).error, "E5002: invalid cast: string to float: \"x1\""));
    nxd_drop(&bad->head);
}

static void conversions(void) {
    CHECK(nxd_float_to_int(3.0).value == 3 && (int64_t)nxd_float_to_int(-4.0).value == -4);
    CHECK(is_error(nxd_float_to_int(3.5).error, "E5002: invalid cast: float to int: 3.5"));
    CHECK(is_error(nxd_float_to_int(1e300).error, "E5002: invalid cast: float to int: 1e+300"));
    CHECK(is_error(nxd_float_floor(NAN).error, "E5002: invalid cast: float to int: nan"));
    CHECK((int64_t)nxd_float_floor(-2.5).value == -3 && (int64_t)nxd_float_ceil(-2.5).value == -2 && (int64_t)nxd_float_round(-2.5).value == -3);
    CHECK((int64_t)nxd_int_pow(-2, 63).value == INT64_MIN && nxd_int_pow(0, 0).value == 1 && nxd_int_pow(1, INT64_MAX).value == 1);
    CHECK(is_error(nxd_int_pow(2, 63).error, "E1004: integer overflow"));
    CHECK(is_error(nxd_int_pow(2, -1).error, "E2001: constraint violation: negative exponent -1"));
}

int main(void) {
    RUN(layouts);
    RUN(ints_of_every_length);
    RUN(round_trips);
    RUN(parsing);
    RUN(conversions);
    return 0;
}
