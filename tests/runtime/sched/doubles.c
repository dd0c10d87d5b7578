// Stands in for core and data in the scheduler's tests: objects, counts, errors and lists, as small as possible.
//
// With it the tests run under ThreadSanitizer without anything that is not the scheduler's. Counts are always atomic;
// live objects are counted, and rt_leak_report tells.
#include "support.h"

#include "nxd/error.h"
#include "nxd/io.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/option.h"
#include "nxd/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic int64_t live;

struct nxd_error {
    int64_t code;
    int64_t sites;
    nxd_string *note;
};

struct rt_pending {
    int unused;
};

_Noreturn void rt_fatal(const char *what) {
    fprintf(stderr, "fatal: %s\n", what);
    abort();
}

_Noreturn void rt_fatal_memory(void) {
    rt_fatal("out of memory");
}

void *rt_alloc(int64_t size) {
    void *memory = malloc((size_t)size);
    if (memory == NULL)
        rt_fatal("out of memory");
    return memory;
}

void rt_free(void *memory, int64_t size) {
    (void)size;
    free(memory);
}

nxd_object *rt_object_new(int64_t size, int64_t type) {
    nxd_object *object = rt_alloc(size);
    object->count = 1;
    object->type = (uint32_t)type;
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return object;
}

void rt_object_free(nxd_object *object, int64_t size) {
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    rt_free(object, size);
}

static void destroy(nxd_object *object) {
    rt_pending pending = {0};
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_CHANNEL:
        rt_hook_channel_destroy((nxd_channel *)object, &pending);
        return;
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        rt_hook_handle_destroy((nxd_handle *)object, &pending);
        return;
    case NXD_KIND_LIST: {
        nxd_list *list = (nxd_list *)object;
        for (int64_t index = 0; index < list->length; index++)
            rt_drop_word(((nxd_word *)list->data)[index], rt_type(type->element)->form);
        free(list->data);
        break;
    }
    case NXD_KIND_ENV:
        for (uint32_t index = 0; index < type->field_count; index++)
            rt_drop_word(((nxd_struct *)object)->fields[index], type->fields[index].form);
        break;
    default:
        break;
    }
    rt_object_free(object, 0);
}

void nxd_dup(nxd_object *object) {
    int32_t count = __atomic_load_n(&object->count, __ATOMIC_RELAXED);
    if (count != 0)
        __atomic_fetch_add(&object->count, count > 0 ? 1 : -1, __ATOMIC_RELAXED);
}

void nxd_drop(nxd_object *object) {
    int32_t count = __atomic_load_n(&object->count, __ATOMIC_ACQUIRE);
    if (count == 0)
        return;
    if (count == 1 || count == -1 || __atomic_fetch_add(&object->count, count > 0 ? -1 : 1, __ATOMIC_ACQ_REL) == -1)
        destroy(object);
}

void rt_dup_word(nxd_word word, int64_t form) {
    if (form == NXD_FORM_PTR)
        nxd_dup(rt_word_object(word));
}

void rt_drop_word(nxd_word word, int64_t form) {
    if (form == NXD_FORM_PTR)
        nxd_drop(rt_word_object(word));
}

void rt_pending_drop(rt_pending *pending, nxd_word word, int64_t form) {
    (void)pending;
    rt_drop_word(word, form);
}

nxd_word nxd_transfer(nxd_word value, int64_t type) {
    (void)type;
    return value;
}

void nxd_share(nxd_word value, int64_t type) {
    nxd_object *object = rt_word_object(value);
    if (rt_type(type)->form == NXD_FORM_PTR && object->count > 0)
        object->count = -object->count;
}

nxd_word nxd_clone(nxd_word value, int64_t type) {
    rt_dup_word(value, rt_type(type)->form);
    return value;
}

nxd_string *rt_string_new(const char *data, int64_t bytes) {
    nxd_string *string = (nxd_string *)rt_object_new((int64_t)sizeof(nxd_string) + bytes + 1, NXD_TYPE_STRING);
    string->bytes = string->chars = string->capacity = bytes;
    string->hash = 0;
    memcpy(string->data, data, (size_t)bytes);
    string->data[bytes] = '\0';
    return string;
}

nxd_string *rt_string_ascii(const char *data) {
    return rt_string_new(data, (int64_t)strlen(data));
}

nxd_list *nxd_list_new(int64_t type, int64_t capacity) {
    nxd_list *list = (nxd_list *)rt_object_new(sizeof *list, type);
    list->length = 0;
    list->capacity = capacity;
    list->data = capacity == 0 ? NULL : rt_alloc(capacity * 8);
    return list;
}

void nxd_list_push(nxd_list *list, nxd_word value) {
    if (list->length == list->capacity) {
        list->capacity = list->capacity * 2 + 8;
        list->data = realloc(list->data, (size_t)list->capacity * 8);
    }
    ((nxd_word *)list->data)[list->length++] = value;
}

nxd_rw nxd_list_get(nxd_list *list, int64_t index) {
    nxd_word word = ((nxd_word *)list->data)[index];
    rt_dup_word(word, rt_type(rt_type_of(&list->head)->element)->form);
    return rt_ok(word);
}

int64_t nxd_list_length(nxd_list *list) {
    return list->length;
}

nxd_union *rt_option_some(int64_t type, nxd_word value) {
    nxd_union *some = (nxd_union *)rt_object_new(24, type);
    some->tag = RT_SOME;
    some->payload[0] = value;
    return some;
}

nxd_union *rt_option_none(int64_t type) {
    nxd_union *none = (nxd_union *)rt_object_new(16, type);
    none->tag = RT_NONE;
    return none;
}

nxd_any nxd_any_box(nxd_word value, int64_t type) {
    (void)type;
    return value;
}

nxd_rw nxd_any_cast(nxd_any value, int64_t type) {
    (void)type;
    return rt_ok(value);
}

nxd_any rt_any_element(nxd_list *list, int64_t index, int64_t *more) {
    (void)list;
    (void)index;
    *more = 0;
    return NXD_ANY_NONE;
}

int64_t nxd_any_type(nxd_any value) {
    return rt_word_object(value)->type;
}

int64_t nxd_any_is_list(nxd_any value) {
    (void)value;
    return 0;
}

nxd_rw nxd_any_handle(nxd_any value) {
    rt_dup(rt_word_object(value));
    return rt_ok(value);
}

nxd_object *rt_shallow_copy(nxd_object *object) {
    rt_dup(object);
    return object;
}

// ---- errors ----

nxd_error *nxd_error_new(int64_t code, nxd_string *detail) {
    nxd_error *error = rt_alloc(sizeof *error);
    *error = (nxd_error){.code = code, .note = detail};
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return error;
}

nxd_error *rt_error_format(int64_t code, const char *format, ...) {
    (void)format;
    return nxd_error_new(code, NULL);
}

int64_t nxd_error_code(const nxd_error *error) {
    return error->code;
}

void nxd_error_drop(nxd_error *error) {
    if (error->note != NULL)
        nxd_drop(&error->note->head);
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(error);
}

nxd_error *rt_error_copy(const nxd_error *error) {
    return nxd_error_new(error->code, error->note == NULL ? NULL : rt_string_ascii(error->note->data));
}

void rt_error_add_note(nxd_error *error, nxd_string *text) {
    if (error->note != NULL)
        nxd_drop(&error->note->head);
    error->note = text;
}

void rt_error_report(nxd_error *error, const char *prefix) {
    fprintf(stderr, "%s: E%lld\n", prefix, (long long)error->code);
    if (error->note != NULL)
        fprintf(stderr, "%s\n", error->note->data);
    nxd_error_drop(error);
}

// ---- the rest ----

void rt_cycles_end(rt_cycle_buffer *buffer) {
    (void)buffer;
}

int64_t rt_leak_report(void) {
    int64_t count = atomic_load(&live);
    if (count != 0)
        fprintf(stderr, "leak: %lld objects\n", (long long)count);
    return count;
}

void rt_io_flush_idle(void) {
}

void rt_io_flush(void) {
    fflush(stdout);
}

int rt_io_output_error(void) {
    return 0;
}

void rt_io_write_stderr(const char *text, int64_t bytes) {
    fwrite(text, 1, (size_t)bytes, stderr);
}

void rt_io_start(int argc, char **argv) {
    test_argc = argc;
    test_argv = argv;
}
