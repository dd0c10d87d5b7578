// Text under construction, and values as text (data/buffer.c, data/format.c, data/float.c).
#ifndef NXD_FORMAT_H
#define NXD_FORMAT_H

#include "nxd/object.h"

// A growing text. Zeroed memory is an empty one. It grows inside a string object, so that finishing copies nothing.
typedef struct rt_buffer {
    nxd_string *text; // NULL: nothing yet; its bytes and chars are stale
    char *data;       // text->data
    int64_t length;
    int64_t capacity;
    int64_t counted; // bytes at the front whose code points are known
    int64_t chars;   // of those
} rt_buffer;

void rt_buffer_reserve(rt_buffer *buffer, int64_t more);
void rt_buffer_bytes(rt_buffer *buffer, const char *data, int64_t bytes);
void rt_buffer_text(rt_buffer *buffer, const char *text);
void rt_buffer_int(rt_buffer *buffer, int64_t value);
void rt_buffer_float(rt_buffer *buffer, double value);
// Cuts to at most `limit` bytes, at a character, with "..." after the cut.
void rt_buffer_shorten(rt_buffer *buffer, int64_t limit);
// Goes on after a string: in its memory if nothing else refers to it.
rt_buffer rt_buffer_continue(NXD_TAKE nxd_string *text);
// The text as a string; the buffer is empty then.
NXD_OWNED nxd_string *rt_buffer_string(rt_buffer *buffer);
void rt_buffer_free(rt_buffer *buffer);

static inline void rt_buffer_char(rt_buffer *buffer, char c) {
    if (RT_UNLIKELY(buffer->length == buffer->capacity))
        rt_buffer_reserve(buffer, 1);
    buffer->data[buffer->length++] = c;
}

// Digits of a value, without a NUL; the result is their number. `out` has room for 24 (int) or 40 (float).
int64_t rt_int_digits(int64_t value, char *out);
int64_t rt_float_digits(double value, char *out);

// A value as PRINT shows it at top level (strings bare), and as it stands inside other values.
void rt_format(rt_buffer *buffer, nxd_word value, int64_t type);
void rt_format_inner(rt_buffer *buffer, nxd_word value, int64_t type);

#endif
