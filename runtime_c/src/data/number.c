// Numbers to text and back.
//
// Purpose: digits of ints and floats, parsing, and the prelude's number functions.
// Invariants: a float's digits are the shortest decimal that reads back as the same double, the nearest one among those (R. Giulietti,
//   The Schubfach way to render doubles, 2020), laid out like Python's repr.
// Threads: pure functions.
// Rejected: trying %.15g to %.17g with strtod: twenty times slower.
#include "nxd/error.h"
#include "nxd/float.h"
#include "nxd/format.h"
#include "nxd/option.h"
#include "nxd/string.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
                            "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
                            "9899";

static int64_t digit_count(uint64_t value) {
    static const uint64_t powers[] = {
        0,
        UINT64_C(10),
        UINT64_C(100),
        UINT64_C(1000),
        UINT64_C(10000),
        UINT64_C(100000),
        UINT64_C(1000000),
        UINT64_C(10000000),
        UINT64_C(100000000),
        UINT64_C(1000000000),
        UINT64_C(10000000000),
        UINT64_C(100000000000),
        UINT64_C(1000000000000),
        UINT64_C(10000000000000),
        UINT64_C(100000000000000),
        UINT64_C(1000000000000000),
        UINT64_C(10000000000000000),
        UINT64_C(100000000000000000),
        UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000),
    };
    int64_t guess = (64 - __builtin_clzll(value | 1)) * 1233 >> 12; // log10(2) is a little more than 1233 / 4096
    return guess + (value >= powers[guess]);
}

static int64_t unsigned_digits(uint64_t value, char *out) {
    int64_t count = value == 0 ? 1 : digit_count(value), at = count;
    while (value >= 100) {
        at -= 2;
        memcpy(out + at, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10)
        memcpy(out, pairs + 2 * value, 2);
    else
        out[0] = (char)('0' + value);
    return count;
}

int64_t rt_int_digits(int64_t value, char *out) {
    if (value >= 0)
        return unsigned_digits((uint64_t)value, out);
    out[0] = '-';
    return 1 + unsigned_digits(0 - (uint64_t)value, out + 1);
}

// ---- shortest floats -----------------------------------------------------------------------------------------------------------

typedef struct decimal {
    uint64_t digits;
    int32_t exponent; // of the last digit
} decimal;


// The upper 64 bits of power * factor, the lowest bit set when anything was cut off.
static uint64_t scaled(const rt_power *power, uint64_t factor) {
    rt_wide low = (rt_wide)power->low * factor;
    rt_wide high = (rt_wide)power->high * factor + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

static int32_t floor_log2_pow10(int32_t exponent) {
    return (exponent * 1741647) >> 19;
}

static decimal shortest(uint64_t fraction, int32_t biased) {
    uint64_t significand = biased == 0 ? fraction : fraction | UINT64_C(1) << 52;
    int32_t exponent = (biased == 0 ? 1 : biased) - 1075;
    if (exponent <= 0 && exponent > -53 && (significand & ((UINT64_C(1) << -exponent) - 1)) == 0)
        return (decimal){significand >> -exponent, 0};
    bool near_below = fraction == 0 && biased > 1; // the double below is half as far as the one above
    uint64_t odd = significand & 1;
    int32_t k = (exponent * 1262611 - (near_below ? 524031 : 0)) >> 22; // floor(log10 of the gap)
    int32_t shift = exponent + floor_log2_pow10(-k) + 1;
    const rt_power *power = &rt_powers[-k - RT_FIRST_POWER];
    uint64_t value = scaled(power, 4 * significand << shift);
    uint64_t lower = scaled(power, (4 * significand - 2 + near_below) << shift) + odd;
    uint64_t upper = scaled(power, (4 * significand + 2) << shift) - odd;
    uint64_t number_whole = value / 4;
    if (number_whole >= 10) { // one digit less, if exactly one of its neighbours is inside
        uint64_t tens = number_whole / 10;
        bool under = lower <= 40 * tens, over = 40 * tens + 40 <= upper;
        if (under != over)
            return (decimal){tens + over, k + 1};
    }
    bool under = lower <= 4 * number_whole, over = 4 * number_whole + 4 <= upper;
    if (under != over)
        return (decimal){number_whole + over, k};
    uint64_t middle = 4 * number_whole + 2;
    return (decimal){number_whole + (value > middle || (value == middle && (number_whole & 1) != 0)), k};
}

static int64_t put_exponent(int64_t exponent, char *out) {
    int64_t length = 0;
    out[length++] = 'e';
    out[length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    if (exponent < 10)
        out[length++] = '0';
    return length + unsigned_digits((uint64_t)exponent, out + length);
}

// Lays out `count` digits whose decimal point stands after `point` of them.
static int64_t lay_out(const char *digits, int64_t count, int64_t point, char *out) {
    int64_t length = 0;
    if (point > 16 || point < -3) {
        out[length++] = digits[0];
        if (count > 1) {
            out[length++] = '.';
            memcpy(out + length, digits + 1, (size_t)(count - 1));
            length += count - 1;
        }
        return length + put_exponent(point - 1, out + length);
    }
    if (point <= 0) {
        out[length++] = '0';
        out[length++] = '.';
        for (; point < 0; point++)
            out[length++] = '0';
        memcpy(out + length, digits, (size_t)count);
        return length + count;
    }
    for (int64_t i = 0; i < rt_max(count, point); i++) {
        if (i == point)
            out[length++] = '.';
        out[length++] = i < count ? digits[i] : '0';
    }
    if (count <= point) {
        out[length++] = '.';
        out[length++] = '0';
    }
    return length;
}

int64_t rt_float_digits(double value, char *out) {
    uint64_t bits = rt_float_word(value);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int32_t biased = (int32_t)(bits >> 52) & 0x7FF;
    if (biased == 0x7FF && fraction != 0) {
        memcpy(out, "nan", 3);
        return 3;
    }
    int64_t length = 0;
    if (bits >> 63 != 0)
        out[length++] = '-';
    if (biased == 0x7FF) {
        memcpy(out + length, "inf", 3);
        return length + 3;
    }
    if (biased == 0 && fraction == 0) {
        memcpy(out + length, "0.0", 3);
        return length + 3;
    }
    decimal d = shortest(fraction, biased);
    char digits[24];
    int64_t count = unsigned_digits(d.digits, digits);
    int64_t point = count + d.exponent;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    return length + lay_out(digits, count, point, out + length);
}

// ---- parsing ---------------------------------------------------------------------------------------------------------------------

bool rt_parse_int(const nxd_string *text, int64_t *value) {
    const char *at = text->data, *end = at + text->bytes;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int64_t total = 0; // negative, because the least int has no positive twin
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || __builtin_mul_overflow(total, 10, &total) ||
            __builtin_sub_overflow(total, *at - '0', &total))
            return false;
    }
    if (!negative && total == INT64_MIN)
        return false;
    *value = negative ? total : -total;
    return true;
}

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

// Whether the text is [sign] digits [. digits] [e [sign] digits], with a digit before the e.
static bool spells_float(const char *at, const char *end) {
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (end - at == 3 && (memcmp(at, "inf", 3) == 0 || memcmp(at, "nan", 3) == 0))
        return true;
    const char *digits = at;
    at = skip_digits(at, end);
    int64_t count = at - digits;
    if (at < end && *at == '.') {
        digits = ++at;
        at = skip_digits(at, end);
        count += at - digits;
    }
    if (count == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '-' || *at == '+'))
            at++;
        digits = at;
        at = skip_digits(at, end);
        if (at == digits)
            return false;
    }
    return at == end;
}

bool rt_parse_float(const nxd_string *text, double *value) {
    if (!spells_float(text->data, text->data + text->bytes))
        return false;
    *value = strtod(text->data, NULL);
    return true;
}

static nxd_rw number_cast_error(nxd_string *text, const char *to) {
    char before[64];
    strcpy(before, "string to ");
    strcat(before, to);
    strcat(before, ": ");
    return rt_fail(rt_error_value(NXD_E5002, before, rt_ptr_word(text), NXD_TYPE_STRING));
}

nxd_rw nxd_string_to_int(nxd_string *text) {
    int64_t value;
    return rt_parse_int(text, &value) ? rt_ok((nxd_word)value) : number_cast_error(text, "int");
}

nxd_rw nxd_string_to_float(nxd_string *text) {
    double value;
    return rt_parse_float(text, &value) ? rt_ok(rt_float_word(value)) : number_cast_error(text, "float");
}

static nxd_string *no_number(nxd_string *text, const char *what) {
    rt_buffer message = {0};
    rt_buffer_text(&message, "not ");
    rt_buffer_text(&message, what);
    rt_buffer_text(&message, ": ");
    rt_format_inner(&message, rt_ptr_word(text), NXD_TYPE_STRING);
    return rt_buffer_string(&message);
}

NXD_OWNED nxd_union *nxd_string_parse_int(nxd_string *text) {
    int64_t value;
    if (rt_parse_int(text, &value))
        return rt_union_new(NXD_TYPE_RESULT_INT_STRING, RT_OK, (nxd_word)value);
    return rt_union_new(NXD_TYPE_RESULT_INT_STRING, RT_ERR, rt_ptr_word(no_number(text, "an int")));
}

NXD_OWNED nxd_union *nxd_string_parse_float(nxd_string *text) {
    double value;
    if (rt_parse_float(text, &value))
        return rt_union_new(NXD_TYPE_RESULT_FLOAT_STRING, RT_OK, rt_float_word(value));
    return rt_union_new(NXD_TYPE_RESULT_FLOAT_STRING, RT_ERR, rt_ptr_word(no_number(text, "a number")));
}

// ---- the prelude's functions on numbers ---------------------------------------------------------------------------------------------

static nxd_rw number_whole(double original, double rounded) {
    if (!(rounded >= -0x1p63 && rounded < 0x1p63)) { // also nan
        char digits[40];
        digits[rt_float_digits(original, digits)] = 0;
        return rt_fail(rt_error_format(NXD_E5002, "float to int: %s", digits));
    }
    return rt_ok((nxd_word)(int64_t)rounded);
}

nxd_rw nxd_float_to_int(double value) {
    if (value != floor(value) && value == value) {
        char digits[40];
        digits[rt_float_digits(value, digits)] = 0;
        return rt_fail(rt_error_format(NXD_E5002, "float to int: %s", digits));
    }
    return number_whole(value, value);
}

nxd_rw nxd_float_floor(double value) {
    return number_whole(value, floor(value));
}

nxd_rw nxd_float_ceil(double value) {
    return number_whole(value, ceil(value));
}

nxd_rw nxd_float_round(double value) {
    return number_whole(value, round(value));
}

double nxd_float_sin(double value) {
    return sin(value);
}

double nxd_float_cos(double value) {
    return cos(value);
}

double nxd_float_exp(double value) {
    return exp(value);
}

double nxd_float_log(double value) {
    return log(value);
}

double nxd_float_pow(double base, double exponent) {
    return pow(base, exponent);
}

nxd_rw nxd_int_pow(int64_t base, int64_t exponent) {
    if (exponent < 0)
        return rt_fail(rt_error_format(NXD_E2001, "negative exponent %lld", (long long)exponent));
    int64_t result = 1;
    while (exponent != 0) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
            return rt_fail(nxd_error_overflow());
        exponent >>= 1;
        if (exponent != 0 && __builtin_mul_overflow(base, base, &base))
            return rt_fail(nxd_error_overflow());
    }
    return rt_ok((nxd_word)result);
}
