// Errors: code, detail, and the trace built while they travel up.
//
// Purpose: an error is one word beside a result; everything about it is here, and cheap until somebody asks for its text.
// Invariants: owned by exactly one holder, never counted. The trace keeps the first FIRST_SITES places and the last LAST_SITES, so that an
//   error of a runaway recursion stays small; `sites` counts all.
// Threads: an error belongs to its holder; rt_error_copy shares nothing with the original.
#include "nxd/error.h"

#include "nxd/format.h"
#include "nxd/hooks.h"
#include "nxd/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SITES = 24, LAST_SITES = 8, KEPT_SITES = FIRST_SITES + LAST_SITES, DETAIL_BYTES = 500, VALUE_BYTES = 100, ERROR_FIRST_CAPACITY = 4 };

struct nxd_error {
    int64_t code; // 0: thrown text
    nxd_string *detail; // or NULL
    nxd_string *note;   // or NULL
    nxd_string *value;  // what no case took, as the report shows it; or NULL
    int64_t sites;      // met so far
    int64_t capacity;   // of trace
    const nxd_site **trace;
};

static const struct {
    int64_t code;
    const char *text;
} messages[] = {
#define ROW(code, text) {code, text},
    NXD_ERROR_CODES(ROW)
#undef ROW
};

static const char *message_of(int64_t code) {
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (messages[i].code == code)
            return messages[i].text;
    return NULL;
}

NXD_OWNED nxd_error *nxd_error_new(int64_t code, NXD_TAKE nxd_string *detail) {
    nxd_error *error = rt_alloc(sizeof *error);
    *error = (nxd_error){.code = code, .detail = detail};
    return error;
}

NXD_OWNED nxd_error *rt_error_format(int64_t code, const char *format, ...) {
    char detail[DETAIL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    return nxd_error_new(code, rt_string_ascii(detail));
}

NXD_OWNED nxd_error *rt_error_value(int64_t code, const char *before, nxd_word value, int64_t type) {
    rt_buffer text = {0};
    rt_buffer_text(&text, before);
    int64_t start = text.length;
    rt_format_inner(&text, value, type);
    rt_buffer_shorten(&text, start + DETAIL_BYTES);
    return nxd_error_new(code, rt_buffer_string(&text));
}

void nxd_error_drop(NXD_TAKE nxd_error *error) {
    if (error->detail != NULL)
        rt_drop(&error->detail->head);
    if (error->note != NULL)
        rt_drop(&error->note->head);
    if (error->value != NULL)
        rt_drop(&error->value->head);
    rt_free(error->trace, error->capacity * (int64_t)sizeof *error->trace);
    rt_free(error, sizeof *error);
}

int64_t nxd_error_code(const nxd_error *error) {
    return error->code;
}

void nxd_error_trace(nxd_error *error, const nxd_site *site) {
    if (site == NULL) // from the start of the program: not a place of the source
        return;
    int64_t place = error->sites++;
    if (place >= KEPT_SITES)
        place = FIRST_SITES + (place - FIRST_SITES) % LAST_SITES;
    if (place >= error->capacity) {
        int64_t wanted = error->capacity == 0 ? ERROR_FIRST_CAPACITY : rt_min(2 * error->capacity, KEPT_SITES);
        int64_t size = sizeof *error->trace;
        error->trace = rt_realloc(error->trace, error->capacity * size, wanted * size);
        error->capacity = wanted;
    }
    error->trace[place] = site;
}

void rt_error_add_note(nxd_error *error, NXD_TAKE nxd_string *text) {
    if (error->note != NULL)
        rt_drop(&error->note->head);
    error->note = text;
}

static nxd_string *copy_text(const nxd_string *text) {
    return text == NULL ? NULL : rt_string_new(text->data, text->bytes);
}

NXD_OWNED nxd_error *rt_error_copy(const nxd_error *error) {
    nxd_error *copy = rt_alloc(sizeof *copy);
    *copy = *error;
    copy->detail = copy_text(error->detail);
    copy->note = copy_text(error->note);
    copy->value = copy_text(error->value);
    if (error->capacity != 0) {
        copy->trace = rt_alloc(error->capacity * (int64_t)sizeof *error->trace);
        memcpy(copy->trace, error->trace, (size_t)error->capacity * sizeof *error->trace);
    }
    return copy;
}

static void write_message(rt_buffer *out, const nxd_error *error) {
    if (error->code != 0) {
        char code[16];
        snprintf(code, sizeof code, "E%04lld", (long long)error->code);
        rt_buffer_text(out, code);
        const char *text = message_of(error->code);
        if (text != NULL) {
            rt_buffer_text(out, ": ");
            rt_buffer_text(out, text);
        }
        if (error->detail != NULL && error->detail->bytes != 0)
            rt_buffer_text(out, ": ");
    }
    if (error->detail != NULL)
        rt_buffer_bytes(out, error->detail->data, error->detail->bytes);
}

NXD_OWNED nxd_string *nxd_error_message(nxd_error *error) {
    if (error->code == 0 && error->detail != NULL) {
        rt_dup(&error->detail->head);
        return error->detail;
    }
    rt_buffer text = {0};
    write_message(&text, error);
    return rt_buffer_string(&text);
}

static void write_site(rt_buffer *out, const nxd_site *site) {
    char place[32];
    snprintf(place, sizeof place, ":%u:%u)\n", site->line, site->column);
    rt_buffer_text(out, "  at ");
    rt_buffer_text(out, site->function);
    rt_buffer_text(out, " (");
    rt_buffer_text(out, site->file);
    rt_buffer_text(out, place);
}

static void write_trace(rt_buffer *out, const nxd_error *error) {
    int64_t shown = rt_min(error->sites, KEPT_SITES);
    for (int64_t i = 0; i < shown; i++) {
        int64_t place = i;
        if (error->sites > KEPT_SITES && i >= FIRST_SITES) {
            if (i == FIRST_SITES) {
                char skipped[64];
                snprintf(skipped, sizeof skipped, "  ... %lld more\n", (long long)(error->sites - KEPT_SITES));
                rt_buffer_text(out, skipped);
            }
            place = FIRST_SITES + (error->sites - FIRST_SITES + i - FIRST_SITES) % LAST_SITES;
        }
        write_site(out, error->trace[place]);
    }
}

void rt_error_report(NXD_TAKE nxd_error *error, const char *prefix) {
    rt_buffer out = {0};
    rt_buffer_text(&out, prefix);
    rt_buffer_text(&out, ": ");
    write_message(&out, error);
    rt_buffer_text(&out, "\n");
    write_trace(&out, error);
    if (error->value != NULL) {
        rt_buffer_text(&out, "  the value is ");
        rt_buffer_bytes(&out, error->value->data, error->value->bytes);
        rt_buffer_text(&out, "\n");
    }
    if (error->note != NULL) {
        rt_buffer_bytes(&out, error->note->data, error->note->bytes);
        if (error->note->bytes == 0 || error->note->data[error->note->bytes - 1] != '\n')
            rt_buffer_text(&out, "\n");
    }
    rt_io_write_stderr(out.data, out.length);
    rt_buffer_free(&out);
    nxd_error_drop(error);
}

// ---- errors of inline checks ---------------------------------------------------------------------------------------------

RT_COLD NXD_OWNED nxd_error *nxd_error_overflow(void) {
    return nxd_error_new(NXD_E1004, NULL);
}

RT_COLD NXD_OWNED nxd_error *nxd_error_division(void) {
    return nxd_error_new(NXD_E1005, NULL);
}

RT_COLD NXD_OWNED nxd_error *nxd_error_index(int64_t index, int64_t length) {
    return rt_error_format(NXD_E1002, "index %lld, length %lld", (long long)index, (long long)length);
}

RT_COLD NXD_OWNED nxd_error *nxd_error_none(void) {
    return nxd_error_new(NXD_E1006, NULL);
}

RT_COLD NXD_OWNED nxd_error *nxd_error_no_case(NXD_TAKE nxd_any value) {
    rt_buffer text = {0};
    rt_format_inner(&text, (nxd_word)value, NXD_TYPE_ANY);
    rt_buffer_shorten(&text, VALUE_BYTES);
    nxd_error *error = nxd_error_new(NXD_E5001, NULL);
    error->value = rt_buffer_string(&text);
    nxd_drop_any(value);
    return error;
}
