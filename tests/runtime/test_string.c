// Strings: characters, appending, hashing, and the prelude's text functions.
#include "testing.h"

static nxd_string *got(nxd_rw result) {
    CHECK(result.error == NULL);
    return as_string(result.value);
}

static void characters(void) {
    nxd_string *text = str("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z"); // aä€😀z
    CHECK(text->chars == 5 && text->bytes == 11);
    CHECK(is_text(got(nxd_string_at(text, 0)), "a"));
    CHECK(is_text(got(nxd_string_at(text, 3)), "\xF0\x9F\x98\x80"));
    CHECK(is_text(got(nxd_string_at(text, 4)), "z"));
    CHECK(is_error(nxd_string_at(text, 5).error, "E1002: index out of bounds: index 5, length 5"));
    CHECK(is_error(nxd_string_at(text, -1).error, "E1002: index out of bounds: index -1, length 5"));
    CHECK(is_text(got(nxd_string_substr(text, 1, 3)), "\xC3\xA4\xE2\x82\xAC"));
    CHECK(is_text(got(nxd_string_substr(text, 5, 5)), ""));
    CHECK(is_error(nxd_string_substr(text, 3, 2).error, "E1002: index out of bounds: index 2, length 5"));
    CHECK(is_text(nxd_string_reverse(text), "z\xF0\x9F\x98\x80\xE2\x82\xAC\xC3\xA4" "a"));
    CHECK(nxd_string_ord(text).value == 'a');
    CHECK(is_text(got(nxd_string_chr(0x1F600)), "\xF0\x9F\x98\x80"));
    CHECK(is_text(got(nxd_string_chr('x')), "x"));
    CHECK(is_error(nxd_string_chr(0xD800).error, "E2001: constraint violation: 55296 is no code point"));
    int64_t seen = 0;
    for (int64_t i = 0; i < text->bytes; i += nxd_string_width(text, i)) {
        nxd_string *c = nxd_string_character(text, i);
        CHECK(c->chars == 1);
        nxd_drop(&c->head);
        seen++;
    }
    CHECK(seen == 5);
    nxd_drop(&text->head);
}

static void appending(void) {
    nxd_string *text = str("");
    for (int64_t i = 0; i < 1000; i++) {
        nxd_string *piece = str("ab\xC3\xA4");
        text = nxd_append_string(text, piece);
        nxd_drop(&piece->head);
        text = nxd_append_int(text, -i);
    }
    CHECK(text->chars == rt_count_chars(text->data, text->bytes));
    nxd_dup(&text->head);
    nxd_string *longer = nxd_append_int(text, 7); // not unique: the old one stays
    CHECK(longer != text && longer->bytes == text->bytes + 1);
    nxd_drop(&longer->head);
    text = nxd_append_string(text, text); // the same string on both sides
    CHECK(text->bytes % 2 == 0 && memcmp(text->data, text->data + text->bytes / 2, (size_t)text->bytes / 2) == 0);
    nxd_drop(&text->head);
    nxd_string *parts[] = {str("x"), str("yy"), str("")};
    CHECK(is_text(nxd_string_concat_all(parts, 3), "xyy"));
    CHECK(is_text(nxd_string_concat(parts[1], parts[0]), "yyx"));
    CHECK(is_text(nxd_append(str("n = "), 42, NXD_TYPE_INT), "n = 42"));
    CHECK(is_text(nxd_append(str("n = "), rt_float_word(1.5), NXD_TYPE_FLOAT), "n = 1.5"));
    for (int i = 0; i < 3; i++)
        nxd_drop(&parts[i]->head);
}

static void hashing(void) {
    char bytes[64];
    for (int i = 0; i < 64; i++)
        bytes[i] = (char)('a' + i % 26);
    for (int64_t length = 0; length < 60; length++) { // every length reads all its bytes and no more
        uint64_t hash = rt_hash_bytes(bytes, length);
        char copy[64];
        memcpy(copy, bytes, 64);
        copy[length] ^= 1;
        CHECK(rt_hash_bytes(copy, length) == hash);
        for (int64_t i = 0; i < length; i++) {
            copy[i] ^= 2;
            CHECK(rt_hash_bytes(copy, length) != hash);
            copy[i] ^= 2;
        }
        nxd_string *a = rt_string_new(bytes, length), *b = rt_string_new(bytes, length);
        CHECK(rt_string_hash(a) == rt_string_hash(b) && rt_string_equal(a, b) && rt_string_compare(a, b) == 0);
        if (length != 0) {
            b->data[length - 1]++;
            CHECK(!rt_string_equal(a, b) && rt_string_compare(a, b) == -1 && rt_string_compare(b, a) == 1);
        }
        nxd_drop(&a->head);
        nxd_drop(&b->head);
    }
}

static bool list_is(NXD_TAKE nxd_list *list, const char *expected) {
    bool same = shows(word(list), list->head.type, expected);
    nxd_drop(&list->head);
    return same;
}

static void splitting(void) {
    nxd_string *text = str("a,b,,c"), *comma = str(","), *empty = str(""), *spaced = str("  one\ttwo \n");
    CHECK(list_is(nxd_string_split(text, comma), "[\"a\", \"b\", \"\", \"c\"]"));
    CHECK(list_is(nxd_string_split(empty, comma), "[\"\"]"));
    CHECK(list_is(nxd_string_split(comma, empty), "[\",\"]"));
    CHECK(list_is(nxd_string_words(spaced), "[\"one\", \"two\"]"));
    CHECK(list_is(nxd_string_words(empty), "[]"));
    nxd_string *lines = str("a\r\n\nb");
    CHECK(list_is(nxd_string_lines(lines), "[\"a\", \"\", \"b\"]"));
    nxd_list *parts = nxd_string_split(text, comma);
    CHECK(is_text(nxd_string_join(parts, comma), "a,b,,c"));
    CHECK(is_text(nxd_string_trim(spaced), "one\ttwo"));
    nxd_drop(&parts->head);
    nxd_drop(&text->head);
    nxd_drop(&comma->head);
    nxd_drop(&empty->head);
    nxd_drop(&spaced->head);
    nxd_drop(&lines->head);
}

static void splitting_long_texts(void) {
    nxd_string *text = str("");
    for (int64_t i = 0; i < 3000; i++) {
        text = nxd_append_int(text, i * 7919 % 1000 * (i % 2 == 0 ? 1 : 1000000));
        nxd_string *space = str(i % 3 == 0 ? " " : "\n");
        text = nxd_append_string(text, space);
        nxd_drop(&space->head);
    }
    nxd_list *words = nxd_string_words(text);
    CHECK(words->length == 3000);
    for (int64_t i = 0; i < 3000; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "%lld", (long long)(i * 7919 % 1000 * (i % 2 == 0 ? 1 : 1000000)));
        nxd_string *word_text = as_string(((nxd_word *)words->data)[i]);
        CHECK(strcmp(word_text->data, expected) == 0 && rt_string_hash(word_text) == rt_hash_bytes(expected, (int64_t)strlen(expected)));
    }
    nxd_drop(&words->head);
    nxd_drop(&text->head);
}

static void searching(void) {
    nxd_string *text = str("n\xC3\xA4rrisch"), *part = str("ri"), *empty = str(""), *absent = str("x");
    CHECK(nxd_string_contains(text, part) && nxd_string_contains(text, empty) && !nxd_string_contains(text, absent));
    CHECK(nxd_string_index_of(text, part) == 3 && nxd_string_index_of(text, absent) == -1);
    CHECK(nxd_string_starts_with(text, empty) && nxd_string_ends_with(text, empty) && !nxd_string_starts_with(text, part));
    CHECK(is_text(nxd_string_replace(text, part, absent), "n\xC3\xA4rxsch"));
    CHECK(is_text(nxd_string_upper(text), "N\xC3\x84RRISCH"));
    nxd_string *upper = str("\xCE\xA3X");
    CHECK(is_text(nxd_string_lower(upper), "\xCF\x83x"));
    CHECK(nxd_string_has_class(text, 1, 0) && !nxd_string_has_class(text, 0, 0) && nxd_string_has_class(upper, 3, 0));
    CHECK(!nxd_string_has_class(text, 1, 1) && nxd_string_has_class(text, 0, 1));
    nxd_drop(&text->head);
    nxd_drop(&part->head);
    nxd_drop(&empty->head);
    nxd_drop(&absent->head);
    nxd_drop(&upper->head);
}

static void padding(void) {
    nxd_string *text = str("7"), *zero = str("0"), *two = str("ab");
    CHECK(is_text(got(nxd_string_pad_left(text, 3, zero)), "007"));
    CHECK(is_text(got(nxd_string_pad_right(text, 3, zero)), "700"));
    CHECK(is_text(got(nxd_string_pad_left(text, 0, zero)), "7"));
    CHECK(is_error(nxd_string_pad_left(text, 3, two).error, "E2001: constraint violation: the filler must be one character, not 2"));
    CHECK(is_text(got(nxd_string_repeat(two, 3)), "ababab"));
    CHECK(is_text(got(nxd_string_repeat(two, 0)), ""));
    CHECK(is_error(nxd_string_repeat(two, -1).error, "E2001: constraint violation: cannot repeat -1 times"));
    CHECK(is_error(nxd_string_repeat(two, INT64_MAX).error, "E1009: out of memory"));
    nxd_drop(&text->head);
    nxd_drop(&zero->head);
    nxd_drop(&two->head);
}

static void from_outside(void) {
    CHECK(is_text(rt_string_from_outside("ok \xC3\xA4", 5), "ok \xC3\xA4"));
    CHECK(is_text(rt_string_from_outside("a\xFF" "b\xC3", 4), "a\xEF\xBF\xBD" "b\xEF\xBF\xBD"));
    CHECK(is_text(rt_string_from_outside("\xC0\x80\xED\xA0\x80", 5),
                  "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
}

int main(void) {
    RUN(characters);
    RUN(appending);
    RUN(hashing);
    RUN(splitting);
    RUN(splitting_long_texts);
    RUN(searching);
    RUN(padding);
    RUN(from_outside);
    return 0;
}
