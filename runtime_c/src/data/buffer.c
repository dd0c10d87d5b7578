// Text under construction.
//
// Purpose: formatting and string building without copies: the buffer is a string object that is not finished yet.
// Invariants: data == text->data while text is not NULL; length <= capacity == text->capacity.
// Threads: a buffer belongs to one call.
#include "nxd/format.h"

#include <string.h>

enum { FIRST_BYTES = 23 }; // a 64-byte object

void rt_buffer_reserve(rt_buffer *buffer, int64_t more) {
    if (buffer->capacity - buffer->length >= more)
        return;
    int64_t wanted = buffer->length + more;
    if (buffer->text != NULL)
        wanted = rt_alloc_growth(rt_max(wanted, buffer->capacity + buffer->capacity / 2 + 16), wanted);
    wanted = rt_max(wanted, FIRST_BYTES);
    int64_t head = (int64_t)sizeof(nxd_string);
    if (buffer->text == NULL) {
        buffer->text = rt_string_alloc(wanted);
    } else {
        int64_t size = rt_alloc_usable(head + wanted + 1);
        buffer->text = rt_realloc(buffer->text, head + buffer->capacity + 1, size);
        buffer->text->capacity = size - head - 1;
    }
    buffer->data = buffer->text->data;
    buffer->capacity = buffer->text->capacity;
}

void rt_buffer_bytes(rt_buffer *buffer, const char *data, int64_t bytes) {
    if (RT_UNLIKELY(bytes == 0))
        return;
    if (RT_UNLIKELY(buffer->capacity - buffer->length < bytes))
        rt_buffer_reserve(buffer, bytes);
    memcpy(buffer->data + buffer->length, data, (size_t)bytes);
    buffer->length += bytes;
}

void rt_buffer_text(rt_buffer *buffer, const char *text) {
    rt_buffer_bytes(buffer, text, (int64_t)strlen(text));
}

void rt_buffer_int(rt_buffer *buffer, int64_t value) {
    rt_buffer_reserve(buffer, 24);
    buffer->length += rt_int_digits(value, buffer->data + buffer->length);
}

void rt_buffer_float(rt_buffer *buffer, double value) {
    rt_buffer_reserve(buffer, 40);
    buffer->length += rt_float_digits(value, buffer->data + buffer->length);
}

void rt_buffer_shorten(rt_buffer *buffer, int64_t limit) {
    if (buffer->length <= limit)
        return;
    while (limit > 0 && ((unsigned char)buffer->data[limit] & 0xC0) == 0x80)
        limit--;
    buffer->length = limit;
    rt_buffer_text(buffer, "...");
}

rt_buffer rt_buffer_continue(NXD_TAKE nxd_string *text) {
    rt_buffer buffer = {0};
    if (rt_is_unique(&text->head)) {
        buffer.text = text;
        buffer.data = text->data;
        buffer.length = text->bytes;
        buffer.capacity = text->capacity;
    } else {
        rt_buffer_reserve(&buffer, text->bytes + FIRST_BYTES);
        rt_buffer_bytes(&buffer, text->data, text->bytes);
    }
    buffer.counted = text->bytes;
    buffer.chars = text->chars;
    if (buffer.text != text)
        rt_drop(&text->head);
    return buffer;
}

NXD_OWNED nxd_string *rt_buffer_string(rt_buffer *buffer) {
    if (buffer->text == NULL)
        rt_buffer_reserve(buffer, 0);
    if (buffer->text == NULL)
        buffer->text = rt_string_alloc(0);
    nxd_string *text = buffer->text;
    text->bytes = buffer->length;
    text->chars = buffer->chars + rt_count_chars(text->data + buffer->counted, buffer->length - buffer->counted);
    text->hash = 0;
    text->data[buffer->length] = 0;
    *buffer = (rt_buffer){0};
    return text;
}

void rt_buffer_free(rt_buffer *buffer) {
    if (buffer->text != NULL)
        rt_object_free_shell(&buffer->text->head);
    *buffer = (rt_buffer){0};
}
