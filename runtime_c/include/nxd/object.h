// Objects as the runtime sees them: descriptors, any words, children, counting, locks.
//
// Sizes (generated code allocates with nxd_new, the runtime frees): struct, record, cell, env 8 + 8 * fields; union 16 + 8 * payload
//   of its variant; closure 16 + 8 * captures; box 16.
#ifndef NXD_OBJECT_H
#define NXD_OBJECT_H

#include "nxd/alloc.h"
#include "nxd/base.h"

typedef struct nxd_box { // an int beyond 63 bits or a float, as an any
    nxd_object head;
    nxd_word value;
} nxd_box;

// ---- descriptors ----

static inline const nxd_type *rt_type(int64_t type) {
    return nxd_program_main.types[type];
}

static inline const nxd_type *rt_type_of(const nxd_object *object) {
    return nxd_program_main.types[object->type];
}

// Bytes of one element of a list with elements of this type.
static inline int64_t rt_element_size(const nxd_type *element) {
    return element->form == NXD_FORM_BOOL ? 1 : 8;
}

// The immortal object of a variant without payload, or of an enum member.
static inline nxd_union *rt_unit(int64_t type, int64_t variant) {
    return rt_type(type)->variants[variant].unit;
}

// ---- any words ----

static inline bool rt_any_is_int(nxd_any value) {
    return (value & 1) != 0;
}

// NONE, true, false and tagged ints are not pointers; no object lies below 16.
static inline bool rt_any_is_object(nxd_any value) {
    return (value & 1) == 0 && value > 15;
}

// ---- counts (rc.c) ----

enum {
    RT_BUFFERED = 1 << 30,   // in a plain count: the object is in a cycle buffer, which owns one reference
    RT_STICKY = -(1 << 30)   // a shared count at or below this is never changed again
};

static inline int32_t rt_count(const nxd_object *object) {
    return __atomic_load_n(&object->count, __ATOMIC_RELAXED);
}

static inline bool rt_is_unique(const nxd_object *object) {
    return rt_count(object) == 1;
}

static inline bool rt_is_shared(const nxd_object *object) {
    return rt_count(object) < 0;
}

static inline void rt_dup(nxd_object *object) {
    int32_t count = rt_count(object);
    if (count > 0)
        object->count = count + 1;
    else if (count < 0)
        nxd_dup(object);
}

static inline void rt_drop(NXD_TAKE nxd_object *object) {
    nxd_drop(object);
}

// The object of a counted word, or NULL.
static inline nxd_object *rt_counted(nxd_word word, int64_t form) {
    if (form == NXD_FORM_PTR)
        return rt_word_object(word);
    if (form == NXD_FORM_ANY && rt_any_is_object(word))
        return rt_word_object(word);
    return NULL;
}

static inline bool rt_form_is_counted(int64_t form) {
    return form >= NXD_FORM_PTR;
}

void rt_dup_word(nxd_word word, int64_t form);
void rt_drop_word(NXD_TAKE nxd_word word, int64_t form);
// One reference less; true when it was the last and the caller must release the object.
bool rt_unref(NXD_TAKE nxd_object *object);
// Frees an object whose last reference is gone, and all that dies with it.
void rt_release(nxd_object *object);

// ---- making and freeing (object.c) ----

NXD_OWNED nxd_object *rt_object_new(int64_t size, int64_t type);
void rt_object_free(nxd_object *object, int64_t size);
// Frees the memory of one object, not what it refers to. Not for channels and handles.
void rt_object_free_shell(nxd_object *object);
int64_t rt_object_size(const nxd_object *object); // of those that nxd_new makes
NXD_OWNED nxd_string *rt_string_alloc(int64_t bytes); // chars not set; NUL set
NXD_OWNED nxd_string *rt_string_new(const char *data, int64_t bytes); // valid UTF-8
int64_t rt_count_chars(const char *data, int64_t bytes); // code points of valid UTF-8
NXD_OWNED nxd_string *rt_string_ascii(const char *data); // NUL-terminated
int64_t rt_leak_report(void);

// ---- children (descriptor.c) ----

// Walks the counted words of an object. `count` is fixed at the start.
typedef struct rt_cursor {
    nxd_object *object;
    const nxd_field *fields; // struct-likes
    nxd_word *words;         // struct-likes, lists; NULL for maps
    int64_t index;           // of the next child
    int64_t count;
    int32_t form; // lists: of the elements
} rt_cursor;

rt_cursor rt_cursor_at(nxd_object *object);
// The place of the next counted word and its form, or NULL.
nxd_word *rt_cursor_next(rt_cursor *cursor, int64_t *form);
// Whether nothing counted follows.
static inline bool rt_cursor_done(const rt_cursor *cursor) {
    return cursor->index >= cursor->count;
}
// Whether an object of this type can hold counted words.
bool rt_type_has_children(const nxd_type *type);

// A copy of the object alone, its counted words dup'ed; locks while the object is shared.
NXD_OWNED nxd_object *rt_shallow_copy(nxd_object *object);
// The object itself (one reference more), or for a shared object that others may change, a copy of it alone: for reading at leisure.
NXD_OWNED nxd_object *rt_snapshot(nxd_object *object);

// Maps, for the walkers above (data/map.c).
int64_t rt_map_word_count(const nxd_object *map);
nxd_word *rt_map_word_at(nxd_object *map, int64_t index, int64_t *form); // NULL at a hole
void rt_map_free_shell(nxd_object *map);
NXD_OWNED nxd_object *rt_map_shallow_copy(nxd_object *map);

// SETADD of floats and strings on one word (data/place.c). What remains to be dropped after the lock, or NULL.
nxd_object *rt_word_add(nxd_word *place, nxd_word more, int64_t type, bool shared);

// ---- locks of shared objects (lock.c) ----

void rt_lock(const void *object);
void rt_unlock(const void *object);

#endif
