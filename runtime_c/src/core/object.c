// Making and freeing objects, and the count of live ones in debug builds.
//
// Purpose: every headed object is made and freed here, so that the leak count is complete.
// Invariants: in debug builds live[t] is the number of objects of type t that exist; string literals and units are not counted.
// Threads: any; live counts are atomic.
#include "nxd/object.h"

#include "nxd/hooks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void rt_fatal(const char *what) {
    fprintf(stderr, "nxd runtime: %s\n", what);
    abort();
}

_Noreturn void rt_fatal_memory(void) {
    static const char text[] = "error: E1009: out of memory\n";
    static bool entered;
    if (!__atomic_exchange_n(&entered, true, __ATOMIC_RELAXED)) // writing may need memory, too
        rt_io_flush();
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(1);
}

#ifdef NXD_DEBUG
static int64_t *object_live;
static pthread_once_t live_once = PTHREAD_ONCE_INIT;

static void live_start(void) {
    object_live = calloc(nxd_program_main.type_count + 1, sizeof *object_live);
}

static void live_count(int64_t type, int64_t change) {
    pthread_once(&live_once, live_start);
    __atomic_add_fetch(&object_live[type], change, __ATOMIC_RELAXED);
}

int64_t rt_leak_report(void) {
    if (rt_alloc_test_is_over())
        fprintf(stderr, "no allocation was left to fail\n");
    pthread_once(&live_once, live_start);
    int64_t total = 0;
    for (uint32_t type = 0; type < nxd_program_main.type_count; type++)
        total += object_live[type];
    if (total == 0)
        return 0;
    fprintf(stderr, "leak: %lld objects\n", (long long)total);
    for (uint32_t type = 0; type < nxd_program_main.type_count; type++)
        if (object_live[type] != 0)
            fprintf(stderr, "  %lld of type %s\n", (long long)object_live[type], rt_type(type)->name);
    return total;
}
#else
static inline void live_count(int64_t type, int64_t change) {
    (void)type;
    (void)change;
}

int64_t rt_leak_report(void) {
    return 0;
}
#endif

NXD_OWNED nxd_object *rt_object_new(int64_t size, int64_t type) {
    nxd_object *object = rt_alloc(size);
    object->count = 1;
    object->type = (uint32_t)type;
    live_count(type, 1);
    return object;
}

NXD_OWNED nxd_object *nxd_new(int64_t size, int64_t type) {
    return rt_object_new(size, type);
}

void rt_object_free(nxd_object *object, int64_t size) {
    live_count(object->type, -1);
    rt_free(object, size);
}

void nxd_free(NXD_TAKE nxd_object *object, int64_t size) {
    rt_object_free(object, size);
}

void nxd_free_shell(NXD_TAKE nxd_object *object) {
    rt_object_free_shell(object);
}

int64_t rt_object_size(const nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_STRUCT:
    case NXD_KIND_RECORD:
    case NXD_KIND_CELL:
    case NXD_KIND_ENV:
        return (int64_t)sizeof(nxd_struct) + 8 * (int64_t)type->field_count;
    case NXD_KIND_UNION:
        return (int64_t)sizeof(nxd_union) + 8 * (int64_t)type->variants[((const nxd_union *)object)->tag].field_count;
    case NXD_KIND_FUNCTION:
        return (int64_t)sizeof(nxd_closure) + 8 * (int64_t)type->field_count;
    default:
        return (int64_t)sizeof(nxd_box);
    }
}

void rt_object_free_shell(nxd_object *object) {
    switch (rt_type_of(object)->kind) {
    case NXD_KIND_STRING:
        rt_object_free(object, (int64_t)sizeof(nxd_string) + ((nxd_string *)object)->capacity + 1);
        return;
    case NXD_KIND_LIST: {
        nxd_list *list = (nxd_list *)object;
        rt_free(list->data, list->capacity * rt_element_size(rt_type(rt_type_of(object)->element)));
        rt_object_free(object, sizeof(nxd_list));
        return;
    }
    case NXD_KIND_MAP:
        rt_map_free_shell(object);
        return;
    default:
        rt_object_free(object, rt_object_size(object));
    }
}

NXD_OWNED nxd_string *rt_string_alloc(int64_t bytes) {
    int64_t size = rt_alloc_usable((int64_t)sizeof(nxd_string) + bytes + 1);
    nxd_string *text = (nxd_string *)rt_object_new(size, NXD_TYPE_STRING);
    text->bytes = bytes;
    text->hash = 0;
    text->capacity = size - (int64_t)sizeof(nxd_string) - 1;
    text->data[bytes] = 0;
    return text;
}

// Code points: bytes that do not continue one. Counted eight at a time; this runs for every string made from bytes.
int64_t rt_count_chars(const char *data, int64_t bytes) {
    int64_t continuing = 0, i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t chunk;
        memcpy(&chunk, data + i, 8);
        uint64_t high = chunk & UINT64_C(0x8080808080808080);
        if (high != 0) // continuation bytes are 10xxxxxx
            continuing += __builtin_popcountll(high & ~(chunk << 1));
    }
    for (; i < bytes; i++)
        continuing += ((unsigned char)data[i] & 0xC0) == 0x80;
    return bytes - continuing;
}

NXD_OWNED nxd_string *rt_string_new(const char *data, int64_t bytes) {
    nxd_string *text = rt_string_alloc(bytes);
    memcpy(text->data, data, (size_t)bytes);
    text->chars = rt_count_chars(data, bytes);
    return text;
}

NXD_OWNED nxd_string *rt_string_ascii(const char *data) {
    return rt_string_new(data, (int64_t)strlen(data));
}
