// Strings inside the runtime (data/string.c, data/text.c).
#ifndef NXD_STRING_H
#define NXD_STRING_H

#include "nxd/object.h"

uint64_t rt_hash_bytes(const char *data, int64_t bytes); // never 0
uint64_t rt_string_hash(nxd_string *text);               // cached in the string
enum { RT_EXACT_HASH_BYTES = 7 };

// Whether equal hashes already mean equal texts (those of up to RT_EXACT_HASH_BYTES).
static inline bool rt_hash_is_exact(uint64_t hash) {
    return hash >> 63 != 0;
}

extern uint64_t rt_hash_seed;                            // set once at start-up

static inline bool rt_string_is_ascii(const nxd_string *text) {
    return text->bytes == text->chars;
}

bool rt_string_equal_bytes(const nxd_string *a, const nxd_string *b);

static inline bool rt_string_equal(const nxd_string *a, const nxd_string *b) {
    return a == b || (a->bytes == b->bytes && rt_string_equal_bytes(a, b));
}

// By code point, which is by byte.
int64_t rt_string_compare(const nxd_string *a, const nxd_string *b);
// A part of a string; ASCII characters and the empty string are immortal objects.
NXD_OWNED nxd_string *rt_string_piece(const char *data, int64_t bytes, bool ascii);
NXD_BORROWED nxd_string *rt_string_empty(void);

// One UTF-8 character: its bytes by its first byte, its code point, and the other way round (bytes written).
static inline int64_t rt_utf8_width(char first) {
    unsigned char byte = (unsigned char)first;
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
uint32_t rt_utf8_decode(const char *data);
int64_t rt_utf8_encode(uint32_t code, char *out);
// Copies bytes that may be no UTF-8 (arguments, input): what is wrong becomes U+FFFD.
NXD_OWNED nxd_string *rt_string_from_outside(const char *data, int64_t bytes);

// Numbers spelt by a whole text, white space around it allowed.
bool rt_parse_int(const nxd_string *text, int64_t *value);
bool rt_parse_float(const nxd_string *text, double *value);

#endif
