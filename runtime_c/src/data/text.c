// The prelude's text functions.
//
// Purpose: searching, splitting, changing case, padding. ASCII text takes short ways: byte offsets are positions.
// Threads: strings do not change; results are new.
// Rejected: remembering the words of a long text lately met, so that those that repeat are made once: half the memory, but 1.5 times as slow
//   (4,000,000 words): counting old objects misses the cache, new ones lie side by side.
#include "nxd/error.h"
#include "nxd/format.h"
#include "nxd/list.h"
#include "nxd/string.h"
#include "nxd/unicode.h"

#include <string.h>

enum { LONGEST = INT32_MAX }; // bytes of a string REPEAT or PAD may make

// ---- characters ------------------------------------------------------------------------------------------------------------------

static const rt_case_run *run_of(const rt_case_run *runs, int64_t count, uint32_t code) {
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (runs[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || code < runs[low].first || (code - runs[low].first) % runs[low].step != 0)
        return NULL;
    return &runs[low];
}

uint32_t rt_unicode_upper(uint32_t code) {
    if (code < 0x80)
        return code >= 'a' && code <= 'z' ? code - 32 : code;
    const rt_case_run *run = run_of(rt_upper_runs, rt_upper_run_count, code);
    return run == NULL ? code : code + (uint32_t)run->distance;
}

uint32_t rt_unicode_lower(uint32_t code) {
    if (code < 0x80)
        return code >= 'A' && code <= 'Z' ? code + 32 : code;
    const rt_case_run *run = run_of(rt_lower_runs, rt_lower_run_count, code);
    return run == NULL ? code : code + (uint32_t)run->distance;
}

static bool is_space(uint32_t code) {
    if (code < 0x80)
        return code == ' ' || (code >= '\t' && code <= '\r');
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

static bool is_letter(uint32_t code) {
    if (code < 0x80)
        return (code | 32) >= 'a' && (code | 32) <= 'z';
    return run_of(rt_letter_runs, rt_letter_run_count, code) != NULL;
}

static bool in_class(uint32_t code, int64_t class_number) {
    switch (class_number) {
    case 0:
        return code >= '0' && code <= '9';
    case 1:
        return is_letter(code);
    case 2:
        return is_space(code);
    case 3:
        return rt_unicode_lower(code) != code;
    default:
        return rt_unicode_upper(code) != code;
    }
}

int64_t nxd_string_has_class(nxd_string *text, int64_t class_number, int64_t negated) {
    for (int64_t i = 0; i < text->bytes; i += rt_utf8_width(text->data[i]))
        if (in_class(rt_utf8_decode(text->data + i), class_number) != (negated != 0))
            return 1;
    return 0;
}

nxd_rw nxd_string_ord(nxd_string *text) {
    if (text->bytes == 0)
        return rt_fail(nxd_error_index(0, 0));
    return rt_ok(rt_utf8_decode(text->data));
}

nxd_rw nxd_string_chr(int64_t code) {
    if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return rt_fail(rt_error_format(NXD_E2001, "%lld is no code point", (long long)code));
    char bytes[4];
    return rt_ok(rt_ptr_word(rt_string_piece(bytes, rt_utf8_encode((uint32_t)code, bytes), false)));
}

// ---- searching -------------------------------------------------------------------------------------------------------------------

// Where `part` begins in [at, end), or NULL.
static const char *find(const char *at, const char *end, const nxd_string *part) {
    if (part->bytes == 1)
        return memchr(at, part->data[0], (size_t)(end - at));
    return memmem(at, (size_t)(end - at), part->data, (size_t)part->bytes);
}

int64_t nxd_string_contains(nxd_string *text, nxd_string *part) {
    return find(text->data, text->data + text->bytes, part) != NULL;
}

int64_t nxd_string_starts_with(nxd_string *text, nxd_string *part) {
    return part->bytes <= text->bytes && memcmp(text->data, part->data, (size_t)part->bytes) == 0;
}

int64_t nxd_string_ends_with(nxd_string *text, nxd_string *part) {
    return part->bytes <= text->bytes &&
           memcmp(text->data + text->bytes - part->bytes, part->data, (size_t)part->bytes) == 0;
}

int64_t nxd_string_index_of(nxd_string *text, nxd_string *part) {
    const char *found = find(text->data, text->data + text->bytes, part);
    if (found == NULL)
        return -1;
    return rt_string_is_ascii(text) ? found - text->data : rt_count_chars(text->data, found - text->data);
}

// ---- parts -------------------------------------------------------------------------------------------------------------------------

NXD_OWNED nxd_string *nxd_string_trim(nxd_string *text) {
    const char *start = text->data, *end = start + text->bytes;
    while (start < end && is_space(rt_utf8_decode(start)))
        start += rt_utf8_width(*start);
    while (end > start) {
        const char *last = end - 1;
        while (((unsigned char)*last & 0xC0) == 0x80)
            last--;
        if (!is_space(rt_utf8_decode(last)))
            break;
        end = last;
    }
    if (end - start == text->bytes) {
        rt_dup(&text->head);
        return text;
    }
    return rt_string_piece(start, end - start, rt_string_is_ascii(text));
}

static void add_piece(nxd_list *list, const char *start, const char *end, bool ascii) {
    rt_list_add(list, NXD_FORM_PTR, rt_ptr_word(rt_string_piece(start, end - start, ascii)));
}

NXD_OWNED nxd_list *nxd_string_split(nxd_string *text, nxd_string *separator) {
    nxd_list *parts = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    const char *start = text->data, *end = start + text->bytes;
    bool ascii = rt_string_is_ascii(text);
    if (separator->bytes == 0) {
        for (; start < end; start += rt_utf8_width(*start))
            add_piece(parts, start, start + rt_utf8_width(*start), ascii);
        return parts;
    }
    for (const char *found; (found = find(start, end, separator)) != NULL; start = found + separator->bytes)
        add_piece(parts, start, found, ascii);
    add_piece(parts, start, end, ascii);
    return parts;
}

NXD_OWNED nxd_list *nxd_string_words(nxd_string *text) {
    nxd_list *words = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    const char *at = text->data, *end = at + text->bytes;
    bool ascii = rt_string_is_ascii(text);
    while (at < end) {
        while (at < end && is_space(rt_utf8_decode(at)))
            at += rt_utf8_width(*at);
        const char *start = at;
        if (ascii)
            while (at < end && !is_space((unsigned char)*at))
                at++;
        else
            while (at < end && !is_space(rt_utf8_decode(at)))
                at += rt_utf8_width(*at);
        if (at > start)
            add_piece(words, start, at, ascii);
    }
    return words;
}

NXD_OWNED nxd_list *nxd_string_lines(nxd_string *text) {
    nxd_list *lines = nxd_list_new(NXD_TYPE_LIST_STRING, 0);
    const char *start = text->data, *end = start + text->bytes;
    bool ascii = rt_string_is_ascii(text);
    while (start < end) {
        const char *found = memchr(start, '\n', (size_t)(end - start));
        const char *stop = found == NULL ? end : found;
        add_piece(lines, start, stop > start && found != NULL && stop[-1] == '\r' ? stop - 1 : stop, ascii);
        start = found == NULL ? end : found + 1;
    }
    return lines;
}

// ---- new texts -----------------------------------------------------------------------------------------------------------------------

typedef uint32_t text_convert(uint32_t code);

static nxd_string *convert_all(nxd_string *text, text_convert *one) {
    rt_buffer out = {0};
    rt_buffer_reserve(&out, text->bytes);
    for (int64_t i = 0; i < text->bytes; i += rt_utf8_width(text->data[i])) {
        rt_buffer_reserve(&out, 4);
        out.length += rt_utf8_encode(one(rt_utf8_decode(text->data + i)), out.data + out.length);
    }
    return rt_buffer_string(&out);
}

static nxd_string *convert_ascii(nxd_string *text, char first, char last) {
    nxd_string *copy = rt_string_alloc(text->bytes);
    for (int64_t i = 0; i < text->bytes; i++) {
        char c = text->data[i];
        copy->data[i] = c >= first && c <= last ? (char)(c ^ 32) : c;
    }
    copy->chars = text->bytes;
    return copy;
}

NXD_OWNED nxd_string *nxd_string_upper(nxd_string *text) {
    return rt_string_is_ascii(text) ? convert_ascii(text, 'a', 'z') : convert_all(text, rt_unicode_upper);
}

NXD_OWNED nxd_string *nxd_string_lower(nxd_string *text) {
    return rt_string_is_ascii(text) ? convert_ascii(text, 'A', 'Z') : convert_all(text, rt_unicode_lower);
}

NXD_OWNED nxd_string *nxd_string_replace(nxd_string *text, nxd_string *old, nxd_string *new) {
    const char *start = text->data, *end = start + text->bytes;
    const char *found = old->bytes == 0 ? NULL : find(start, end, old);
    if (found == NULL) {
        rt_dup(&text->head);
        return text;
    }
    rt_buffer out = {0};
    rt_buffer_reserve(&out, text->bytes);
    for (; found != NULL; found = find(start, end, old)) {
        rt_buffer_bytes(&out, start, found - start);
        rt_buffer_bytes(&out, new->data, new->bytes);
        start = found + old->bytes;
    }
    rt_buffer_bytes(&out, start, end - start);
    return rt_buffer_string(&out);
}

NXD_OWNED nxd_string *nxd_string_reverse(nxd_string *text) {
    nxd_string *copy = rt_string_alloc(text->bytes);
    char *to = copy->data + text->bytes;
    for (int64_t i = 0; i < text->bytes;) {
        int64_t width = rt_utf8_width(text->data[i]);
        to -= width;
        memcpy(to, text->data + i, (size_t)width);
        i += width;
    }
    copy->chars = text->chars;
    return copy;
}

// `count` copies of a text, then another text (either may be empty), in the order asked for.
static nxd_rw text_copies(nxd_string *text, int64_t count, nxd_string *other, bool other_first) {
    int64_t bytes;
    if (text->bytes == 0)
        count = 0; // however many: nothing to do
    if (__builtin_mul_overflow(text->bytes, count, &bytes) || bytes > LONGEST || other->bytes > LONGEST ||
        !rt_alloc_fits(bytes + other->bytes))
        return rt_fail(nxd_error_new(NXD_E1009, NULL));
    nxd_string *made = rt_string_alloc(bytes + other->bytes);
    char *at = made->data + (other_first ? other->bytes : 0);
    if (text->bytes == 1) {
        memset(at, text->data[0], (size_t)count);
    } else {
        for (int64_t i = 0; i < count; i++)
            memcpy(at + i * text->bytes, text->data, (size_t)text->bytes);
    }
    memcpy(made->data + (other_first ? 0 : bytes), other->data, (size_t)other->bytes);
    made->chars = text->chars * count + other->chars;
    return rt_ok(rt_ptr_word(made));
}

nxd_rw nxd_string_repeat(nxd_string *text, int64_t count) {
    if (count < 0)
        return rt_fail(rt_error_format(NXD_E2001, "cannot repeat %lld times", (long long)count));
    return text_copies(text, count, rt_string_empty(), true);
}

static nxd_rw text_pad(nxd_string *text, int64_t width, nxd_string *filler, bool left) {
    if (filler->chars != 1)
        return rt_fail(rt_error_format(NXD_E2001, "the filler must be one character, not %lld", (long long)filler->chars));
    if (width <= text->chars) {
        rt_dup(&text->head);
        return rt_ok(rt_ptr_word(text));
    }
    return text_copies(filler, width - text->chars, text, !left);
}

nxd_rw nxd_string_pad_left(nxd_string *text, int64_t width, nxd_string *filler) {
    return text_pad(text, width, filler, true);
}

nxd_rw nxd_string_pad_right(nxd_string *text, int64_t width, nxd_string *filler) {
    return text_pad(text, width, filler, false);
}
