// Strings: immutable UTF-8, appended in place while nothing else refers to them.
//
// Purpose: hashing, comparing, appending, single characters. The text functions of the prelude are in text.c.
// Invariants: data is valid UTF-8 with a NUL after it; chars is the number of code points, equal to bytes exactly for ASCII; hash
//   is 0 or the hash of the bytes. capacity counts the bytes that fit before the NUL.
// Threads: strings never change once a second reference exists, so they need no lock; the cached hash is written with a
//   relaxed atomic store, every writer the same value.
#include "nxd/string.h"

#include "nxd/error.h"
#include "nxd/format.h"

#include <string.h>

uint64_t rt_hash_seed = UINT64_C(0x243F6A8885A308D3);

static const uint64_t K1 = UINT64_C(0xA0761D6478BD642F);
static const uint64_t K2 = UINT64_C(0xE7037ED1A0B428DB);

// ---- hashing: 16 bytes a step, multiplied to 128 bits and folded; short texts invertibly ---------------------------------

static const uint64_t LOW_63 = UINT64_MAX >> 1;

static inline uint64_t fold(uint64_t a, uint64_t b) {
    rt_wide product = (rt_wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t read8(const char *data) {
    uint64_t value;
    memcpy(&value, data, 8);
    return value;
}

static inline uint64_t read4(const char *data) {
    uint32_t value;
    memcpy(&value, data, 4);
    return value;
}

// Different short texts have different hashes: every step is invertible in 63 bits, and the top bit tells that it is so.
static uint64_t hash_short(const char *data, int64_t bytes) {
    uint64_t packed = 0;
    if (bytes >= 4)
        packed = read4(data) | read4(data + bytes - 4) << (8 * (bytes - 4));
    else if (bytes > 0)
        packed = (uint64_t)(unsigned char)data[0] | (uint64_t)(unsigned char)data[bytes >> 1] << (8 * (bytes >> 1)) |
                 (uint64_t)(unsigned char)data[bytes - 1] << (8 * (bytes - 1));
    packed |= (uint64_t)bytes << 56;
    uint64_t hash = ((packed ^ rt_hash_seed) * K2) & LOW_63;
    hash ^= hash >> 32;
    hash = (hash * K1) & LOW_63;
    return (hash ^ hash >> 29) | ~LOW_63;
}

uint64_t rt_hash_bytes(const char *data, int64_t bytes) {
    if (bytes <= RT_EXACT_HASH_BYTES)
        return hash_short(data, bytes);
    uint64_t state = rt_hash_seed, a, b;
    if (RT_LIKELY(bytes <= 16)) {
        a = read8(data);
        b = read8(data + bytes - 8);
    } else {
        int64_t i = 0;
        for (; i + 16 < bytes; i += 16)
            state = fold(read8(data + i) ^ K1, read8(data + i + 8) ^ state);
        a = read8(data + bytes - 16);
        b = read8(data + bytes - 8);
    }
    uint64_t hash = fold(K2 ^ (uint64_t)bytes, fold(a ^ K1, b ^ state)) & LOW_63;
    return hash == 0 ? 1 : hash;
}

uint64_t rt_string_hash(nxd_string *text) {
    uint64_t hash = __atomic_load_n(&text->hash, __ATOMIC_RELAXED);
    if (hash == 0) {
        hash = rt_hash_bytes(text->data, text->bytes);
        __atomic_store_n(&text->hash, hash, __ATOMIC_RELAXED);
    }
    return hash;
}

// ---- comparing ---------------------------------------------------------------------------------------------------------------

bool rt_string_equal_bytes(const nxd_string *a, const nxd_string *b) {
    int64_t bytes = a->bytes;
    if (bytes >= 8) { // overlapping words: no call for short texts
        if (bytes <= 16)
            return ((read8(a->data) ^ read8(b->data)) | (read8(a->data + bytes - 8) ^ read8(b->data + bytes - 8))) == 0;
        return memcmp(a->data, b->data, (size_t)bytes) == 0;
    }
    if (bytes >= 4)
        return ((read4(a->data) ^ read4(b->data)) | (read4(a->data + bytes - 4) ^ read4(b->data + bytes - 4))) == 0;
    for (int64_t i = 0; i < bytes; i++)
        if (a->data[i] != b->data[i])
            return false;
    return true;
}

int64_t rt_string_compare(const nxd_string *a, const nxd_string *b) {
    int order = memcmp(a->data, b->data, (size_t)rt_min(a->bytes, b->bytes));
    if (order == 0)
        return (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return order < 0 ? -1 : 1;
}

int64_t nxd_string_equal(nxd_string *a, nxd_string *b) {
    return rt_string_equal(a, b);
}

int64_t nxd_string_compare(nxd_string *a, nxd_string *b) {
    return rt_string_compare(a, b);
}

// ---- characters ----------------------------------------------------------------------------------------------------------------

typedef struct char_string { // a string object with its data in place
    nxd_object head;
    int64_t bytes, chars;
    uint64_t hash;
    int64_t capacity;
    char data[8];
} char_string;

_Static_assert(offsetof(char_string, data) == offsetof(nxd_string, data), "char_string mirrors nxd_string");

#define ONE(c) {{0, NXD_TYPE_STRING}, 1, 1, 0, 7, {(char)(c)}}
#define FOUR(c) ONE(c), ONE((c) + 1), ONE((c) + 2), ONE((c) + 3)
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)

static char_string ascii_chars[128] = {SIXTEEN(0),  SIXTEEN(16), SIXTEEN(32), SIXTEEN(48),
                                       SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)};
static char_string empty_string = {{0, NXD_TYPE_STRING}, 0, 0, 0, 7, {0}};

NXD_BORROWED nxd_string *rt_string_empty(void) {
    return (nxd_string *)(void *)&empty_string;
}

static nxd_string *ascii_char(char c) {
    return (nxd_string *)(void *)&ascii_chars[(unsigned char)c];
}

NXD_OWNED nxd_string *rt_string_piece(const char *data, int64_t bytes, bool ascii) {
    if (bytes <= 1) {
        if (bytes == 0)
            return rt_string_empty();
        if ((unsigned char)*data < 0x80)
            return ascii_char(*data);
    }
    if (!ascii)
        return rt_string_new(data, bytes);
    nxd_string *text = rt_string_alloc(bytes);
    memcpy(text->data, data, (size_t)bytes);
    text->chars = bytes;
    return text;
}

uint32_t rt_utf8_decode(const char *data) {
    const unsigned char *byte = (const unsigned char *)data;
    if (byte[0] < 0x80)
        return byte[0];
    if (byte[0] < 0xE0)
        return (uint32_t)(byte[0] & 0x1F) << 6 | (byte[1] & 0x3F);
    if (byte[0] < 0xF0)
        return (uint32_t)(byte[0] & 0x0F) << 12 | (uint32_t)(byte[1] & 0x3F) << 6 | (byte[2] & 0x3F);
    return (uint32_t)(byte[0] & 0x07) << 18 | (uint32_t)(byte[1] & 0x3F) << 12 | (uint32_t)(byte[2] & 0x3F) << 6 | (byte[3] & 0x3F);
}

int64_t rt_utf8_encode(uint32_t code, char *out) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

// Bytes of the well-formed character at `data`, 0 where there is none (Unicode table 3-7).
static int64_t valid_width(const unsigned char *data, int64_t left) {
    if (data[0] < 0x80)
        return 1;
    if (data[0] < 0xC2 || data[0] > 0xF4)
        return 0;
    int64_t width = rt_utf8_width((char)data[0]);
    if (left < width)
        return 0;
    unsigned char low = data[0] == 0xE0 ? 0xA0 : data[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = data[0] == 0xED ? 0x9F : data[0] == 0xF4 ? 0x8F : 0xBF;
    if (data[1] < low || data[1] > high)
        return 0;
    for (int64_t i = 2; i < width; i++)
        if ((data[i] & 0xC0) != 0x80)
            return 0;
    return width;
}

NXD_OWNED nxd_string *rt_string_from_outside(const char *data, int64_t bytes) {
    rt_buffer out = {0};
    int64_t start = 0, i = 0;
    while (i < bytes) {
        int64_t width = valid_width((const unsigned char *)data + i, bytes - i);
        if (width != 0) {
            i += width;
            continue;
        }
        rt_buffer_bytes(&out, data + start, i - start);
        rt_buffer_text(&out, "\xEF\xBF\xBD");
        start = ++i;
    }
    if (start == 0)
        return rt_string_piece(data, bytes, false);
    rt_buffer_bytes(&out, data + start, bytes - start);
    return rt_buffer_string(&out);
}

// Byte offset of character `index`, which exists.
static int64_t offset_of(const nxd_string *text, int64_t index) {
    if (rt_string_is_ascii(text))
        return index;
    const char *at = text->data;
    for (; index > 0; index--)
        at += rt_utf8_width(*at);
    return at - text->data;
}

nxd_rw nxd_string_at(nxd_string *text, int64_t index) {
    if (RT_UNLIKELY(index < 0 || index >= text->chars))
        return rt_fail(nxd_error_index(index, text->chars));
    const char *at = text->data + offset_of(text, index);
    return rt_ok(rt_ptr_word(rt_string_piece(at, rt_utf8_width(*at), false)));
}

nxd_rw nxd_string_substr(nxd_string *text, int64_t from, int64_t to) {
    if (from < 0 || from > text->chars)
        return rt_fail(nxd_error_index(from, text->chars));
    if (to < from || to > text->chars)
        return rt_fail(nxd_error_index(to, text->chars));
    int64_t start = offset_of(text, from);
    int64_t end = start;
    if (rt_string_is_ascii(text))
        end = to;
    else
        for (int64_t i = from; i < to; i++)
            end += rt_utf8_width(text->data[end]);
    return rt_ok(rt_ptr_word(rt_string_piece(text->data + start, end - start, rt_string_is_ascii(text))));
}

int64_t nxd_string_width(nxd_string *text, int64_t offset) {
    return rt_utf8_width(text->data[offset]);
}

NXD_OWNED nxd_string *nxd_string_character(nxd_string *text, int64_t offset) {
    return rt_string_piece(text->data + offset, rt_utf8_width(text->data[offset]), false);
}

// ---- appending -----------------------------------------------------------------------------------------------------------------

// A string with the same text, unique, with room for `more` bytes. Doubles what grows in place; a first concatenation gets what it needs.
static nxd_string *with_room(NXD_TAKE nxd_string *text, int64_t more) {
    int64_t head = (int64_t)sizeof(nxd_string);
    if (rt_is_unique(&text->head)) {
        if (RT_LIKELY(text->capacity - text->bytes >= more))
            return text;
        int64_t least = head + text->bytes + more + 1;
        int64_t size = rt_alloc_usable(rt_alloc_growth(rt_max(least, head + text->capacity + text->capacity / 2 + 1), least));
        text = rt_realloc(text, head + text->capacity + 1, size);
        text->capacity = size - head - 1;
        return text;
    }
    nxd_string *copy = rt_string_alloc(text->bytes + more);
    memcpy(copy->data, text->data, (size_t)text->bytes);
    copy->bytes = text->bytes;
    copy->chars = text->chars;
    rt_drop(&text->head);
    return copy;
}

static inline void copy_short(char *to, const char *from, int64_t bytes) {
    if (bytes > 16) {
        memcpy(to, from, (size_t)bytes);
    } else if (bytes >= 8) { // two overlapping halves: a call of memcpy costs more than the copy
        uint64_t first = read8(from), last = read8(from + bytes - 8);
        memcpy(to, &first, 8);
        memcpy(to + bytes - 8, &last, 8);
    } else if (bytes >= 4) {
        uint32_t first = (uint32_t)read4(from), last = (uint32_t)read4(from + bytes - 4);
        memcpy(to, &first, 4);
        memcpy(to + bytes - 4, &last, 4);
    } else if (bytes > 0) {
        char first = from[0], middle = from[bytes >> 1], last = from[bytes - 1];
        to[0] = first;
        to[bytes >> 1] = middle;
        to[bytes - 1] = last;
    }
}

NXD_OWNED nxd_string *nxd_string_reserve(NXD_TAKE nxd_string *text, int64_t more) {
    return with_room(text, more);
}

NXD_OWNED nxd_string *nxd_append_string(NXD_TAKE nxd_string *text, nxd_string *more) {
    int64_t bytes = more->bytes, chars = more->chars;
    bool same = text == more; // S ADD S: the borrowed one may be the memory that moves
    text = with_room(text, bytes);
    copy_short(text->data + text->bytes, same ? text->data : more->data, bytes);
    text->bytes += bytes;
    text->chars += chars;
    text->hash = 0;
    text->data[text->bytes] = 0;
    return text;
}

NXD_OWNED nxd_string *nxd_append_int(NXD_TAKE nxd_string *text, int64_t value) {
    char digits[24];
    int64_t bytes;
    if (RT_LIKELY(rt_is_unique(&text->head) && text->capacity - text->bytes >= (int64_t)sizeof digits)) {
        bytes = rt_int_digits(value, text->data + text->bytes);
    } else {
        bytes = rt_int_digits(value, digits);
        text = with_room(text, bytes);
        copy_short(text->data + text->bytes, digits, bytes);
    }
    text->bytes += bytes;
    text->chars += bytes;
    text->hash = 0;
    text->data[text->bytes] = 0;
    return text;
}

NXD_OWNED nxd_string *nxd_string_concat(nxd_string *a, nxd_string *b) {
    nxd_string *text = rt_string_alloc(a->bytes + b->bytes);
    memcpy(text->data, a->data, (size_t)a->bytes);
    memcpy(text->data + a->bytes, b->data, (size_t)b->bytes);
    text->chars = a->chars + b->chars;
    return text;
}

// All parts of a chain of ADDs at once. The parts are borrowed.
NXD_OWNED nxd_string *nxd_string_concat_all(nxd_string *const *parts, int64_t count) {
    int64_t bytes = 0, chars = 0;
    for (int64_t i = 0; i < count; i++) {
        bytes += parts[i]->bytes;
        chars += parts[i]->chars;
    }
    nxd_string *text = rt_string_alloc(bytes);
    char *at = text->data;
    for (int64_t i = 0; i < count; i++) {
        copy_short(at, parts[i]->data, parts[i]->bytes);
        at += parts[i]->bytes;
    }
    text->chars = chars;
    return text;
}
