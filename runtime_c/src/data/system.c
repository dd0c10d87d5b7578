// The prelude's functions that meet the outside: printing, reading, time, random numbers, arguments.
//
// Purpose: words and types on this side, bytes on the other (sys/).
// Threads: any. A process is known to sys/io.c by the address of its cycle buffer.
#include "nxd/clock.h"
#include "nxd/error.h"
#include "nxd/format.h"
#include "nxd/hooks.h"
#include "nxd/io.h"
#include "nxd/list.h"
#include "nxd/option.h"
#include "nxd/string.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWLINE = 1, TO_STDERR = 2, LONGEST_RANDOM = 1 << 30 };

// ---- printing ------------------------------------------------------------------------------------------------------------------

static void write_text(const char *data, int64_t bytes, int64_t flags) {
    rt_io_print(rt_hook_cycle_buffer(), data, bytes, (flags & NEWLINE) != 0);
}

static void print_formatted(nxd_word value, int64_t type, int64_t flags) {
    rt_buffer text = {0};
    rt_format(&text, value, type);
    if ((flags & TO_STDERR) != 0) {
        if ((flags & NEWLINE) != 0)
            rt_buffer_char(&text, '\n');
        rt_io_write_stderr(text.data, text.length);
    } else {
        write_text(text.data, text.length, flags);
    }
    rt_buffer_free(&text);
}

void nxd_print(nxd_word value, int64_t type, int64_t flags) {
    if (type == NXD_TYPE_STRING && (flags & TO_STDERR) == 0) {
        const nxd_string *text = (const nxd_string *)rt_word_object(value);
        write_text(text->data, text->bytes, flags);
    } else if (type == NXD_TYPE_INT && (flags & TO_STDERR) == 0) {
        char digits[24];
        write_text(digits, rt_int_digits((int64_t)value, digits), flags);
    } else {
        print_formatted(value, type, flags);
    }
}

void nxd_print_newline(int64_t flags) {
    write_text("", 0, flags);
}

void nxd_debug(nxd_word value, int64_t type) {
    rt_buffer text = {0};
    rt_format_inner(&text, value, type);
    rt_buffer_char(&text, '\n');
    rt_io_write_stderr(text.data, text.length);
    rt_buffer_free(&text);
}

// ---- input, arguments, environment -------------------------------------------------------------------------------------------------

nxd_rw nxd_read_line(nxd_process *self) {
    char *line = NULL;
    int64_t size = 0;
    rt_io_end_line(rt_hook_cycle_buffer()); // a prompt
    rt_io_flush();
    rt_hook_blocking_begin(self);
    int64_t bytes = rt_io_read_line(&line, &size);
    rt_hook_blocking_end(self);
    nxd_rw result;
    if (bytes == -2)
        result = rt_fail(rt_error_format(NXD_E6001, "standard input cannot be read"));
    else if (bytes < 0)
        result = rt_ok(rt_ptr_word(rt_option_none(NXD_TYPE_OPTION_STRING)));
    else
        result = rt_ok(rt_ptr_word(rt_option_some(NXD_TYPE_OPTION_STRING, rt_ptr_word(rt_string_from_outside(line, bytes)))));
    rt_free(line, size);
    return result;
}

void rt_io_start(int argc, char **argv) {
    rt_io_set_arguments(argc, argv);
    rt_hash_seed = rt_random_entropy(); // nobody outside can choose keys that collide
}

NXD_OWNED nxd_list *nxd_args(void) {
    int count = rt_io_argument_count();
    nxd_list *list = nxd_list_new(NXD_TYPE_LIST_STRING, count);
    for (int i = 0; i < count; i++) {
        const char *argument = rt_io_argument(i);
        rt_list_add(list, NXD_FORM_PTR, rt_ptr_word(rt_string_from_outside(argument, (int64_t)strlen(argument))));
    }
    return list;
}

NXD_OWNED nxd_union *nxd_env(nxd_string *name) {
    const char *value = getenv(name->data);
    if (value == NULL || (int64_t)strlen(name->data) != name->bytes)
        return rt_option_none(NXD_TYPE_OPTION_STRING);
    return rt_option_some(NXD_TYPE_OPTION_STRING, rt_ptr_word(rt_string_from_outside(value, (int64_t)strlen(value))));
}

// ---- time --------------------------------------------------------------------------------------------------------------------------

enum { DAY_MS = 24 * 60 * 60 * 1000 };

int64_t nxd_time_now(void) {
    return rt_clock_ms();
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

typedef struct date {
    int64_t year, month, day;
} date;

// The day `days` after 1970-01-01. Counts in eras of 400 years that begin on 1 March, so that the leap day is the last of its year.
static date date_of(int64_t days) {
    days += 719468; // from 0000-03-01
    int64_t era = floor_div(days, 146097);
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153; // March is 0
    date result = {.day = day_of_year - (153 * shifted + 2) / 5 + 1, .month = shifted < 10 ? shifted + 3 : shifted - 9};
    result.year = year_of_era + era * 400 + (result.month <= 2);
    return result;
}

NXD_OWNED nxd_string *nxd_time_date_string(int64_t ms) {
    date day = date_of(floor_div(ms, DAY_MS));
    char text[64];
    snprintf(text, sizeof text, "%04lld-%02lld-%02lld", (long long)day.year, (long long)day.month, (long long)day.day);
    return rt_string_ascii(text);
}

NXD_OWNED nxd_struct *nxd_time_info(int64_t ms) {
    int64_t days = floor_div(ms, DAY_MS);
    int64_t within = ms % DAY_MS; // days * DAY_MS need not fit
    int64_t second = (within < 0 ? within + DAY_MS : within) / 1000;
    date day = date_of(days);
    int64_t weekday = (days + 4) % 7; // 1970-01-01 was a Thursday
    int64_t parts[] = {day.year, day.month, day.day, second / 3600, second / 60 % 60, second % 60, weekday < 0 ? weekday + 7 : weekday};
    nxd_struct *info = (nxd_struct *)rt_object_new((int64_t)(sizeof(nxd_struct) + sizeof parts), NXD_TYPE_TIMEINFO);
    memcpy(info->fields, parts, sizeof parts);
    return info;
}

// ---- random numbers ------------------------------------------------------------------------------------------------------------------

// A number below `limit` (0: any), every one as likely: numbers in the last, incomplete round are drawn again.
static uint64_t below(uint64_t limit) {
    if (limit == 0)
        return rt_random_next();
    uint64_t unfair = (0 - limit) % limit; // 2^64 mod limit
    uint64_t drawn;
    do
        drawn = rt_random_next();
    while (drawn < unfair);
    return drawn % limit;
}

nxd_rw nxd_random_int(int64_t from, int64_t to) {
    if (from > to)
        return rt_fail(rt_error_format(NXD_E2001, "no int from %lld to %lld", (long long)from, (long long)to));
    return rt_ok((uint64_t)from + below((uint64_t)to - (uint64_t)from + 1));
}

nxd_rw nxd_random_float(double from, double to) {
    if (!(from < to) || isinf(from) || isinf(to)) {
        char low[40], high[40];
        low[rt_float_digits(from, low)] = 0;
        high[rt_float_digits(to, high)] = 0;
        return rt_fail(rt_error_format(NXD_E2001, "no float from %s below %s", low, high));
    }
    for (;;) { // rounding may reach `to`
        double part = (double)(rt_random_next() >> 11) * 0x1p-53;
        double drawn = from * (1.0 - part) + to * part; // to - from might be too large for a float
        if (drawn >= from && drawn < to)
            return rt_ok(rt_float_word(drawn));
    }
}

nxd_rw nxd_random_string(int64_t count) {
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    if (count < 0)
        return rt_fail(rt_error_format(NXD_E2001, "no string of %lld characters", (long long)count));
    if (count > LONGEST_RANDOM || !rt_alloc_fits(count))
        return rt_fail(nxd_error_new(NXD_E1009, NULL));
    nxd_string *text = rt_string_alloc(count);
    for (int64_t i = 0; i < count; i++)
        text->data[i] = characters[below(sizeof characters - 1)];
    text->chars = count;
    return rt_ok(rt_ptr_word(text));
}

void nxd_random_seed(int64_t seed) {
    rt_random_seed((uint64_t)seed);
}
