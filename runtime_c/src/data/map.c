// Maps: entries in insertion order, and an index into them.
//
// Purpose: all map operations, complete (locking shared maps) and fast (nxd_map_find*, for maps that are not shared).
// Layout: entries lie densely in the order of insertion: key, value, and for all but int-like keys the hash. The index is an array of 32-bit slots,
//   a power of two of them, probed linearly from the hash's low bits. A slot is 0 (empty), 1 (removed) or the entry's number + 2 in its low bits
//   with as many bits of the hash above as fit: one cache line holds 16 slots, and the entry is looked at only when those bits agree.
// Invariants: up to SMALL entries there is no index and no hole, and entries are searched in order. length <= used <= capacity; `holes` has a bit for
//   each entry that was removed; no live entry lies before `first`; `filled` slots are not empty, at most 5/8 of them; used + 1 <= mask, so that
//   every entry's number fits into a slot.
//   Keys that are objects of a type the program changes are copied on the way in and out, so that a key in a map never changes.
// Threads: a shared map is touched under its lock only. Hashes are computed, and keys of mutable types copied, before; values are dropped after.
// Rejected: control bytes beside the index: two arrays, one cache miss more; storing the hashes of ints: they are cheaper to compute than to read.
#include "nxd/map.h"

#include "nxd/error.h"
#include "nxd/list.h"
#include "nxd/string.h"
#include "nxd/value.h"

#include <string.h>

#ifdef NXD_TESTING
enum { SMALL = 2, FIRST_SLOTS = 8 }; // no less: entry numbers must fit
#else
enum { SMALL = 8, FIRST_SLOTS = 32 };
#endif
enum { MAP_FIRST_CAPACITY = 4, EMPTY = 0, REMOVED = 1, FIRST_ENTRY = 2, AHEAD = 16, GROWTH_MIN = 1024 };

typedef enum map_mode { MODE_INT, MODE_STRING, MODE_OTHER } map_mode;

typedef struct int_entry {
    int64_t key;
    nxd_word value;
} int_entry;

typedef struct hashed_entry {
    nxd_word key;
    nxd_word value;
    uint64_t hash;
} hashed_entry;

struct nxd_map {
    nxd_object head;
    int64_t length; // keys
    int64_t used;   // entries, holes included
    int64_t capacity;
    int64_t first;
    void *entries;
    uint32_t *index; // NULL: small
    uint64_t mask;   // slots - 1
    int64_t filled;
    uint64_t *holes; // NULL: none
    map_mode mode;
};

static inline int_entry *int_entries(const nxd_map *map) {
    return map->entries;
}

static inline hashed_entry *hashed_entries(const nxd_map *map) {
    return map->entries;
}

static inline int64_t entry_size(const nxd_map *map) {
    return map->mode == MODE_INT ? (int64_t)sizeof(int_entry) : (int64_t)sizeof(hashed_entry);
}

static inline bool is_hole(const nxd_map *map, int64_t entry) {
    return map->holes != NULL && (map->holes[entry >> 6] >> (entry & 63) & 1) != 0;
}

static int64_t holes_size(int64_t capacity) {
    return (capacity + 63) / 64 * 8;
}

static inline uint64_t hash_int(int64_t key) {
    rt_wide product = (rt_wide)((uint64_t)key ^ rt_hash_seed) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of(const nxd_map *map, nxd_word key) {
    if (map->mode == MODE_INT)
        return hash_int((int64_t)key);
    if (map->mode == MODE_STRING)
        return rt_string_hash((nxd_string *)rt_word_object(key));
    return rt_hash(key, rt_type_of(&map->head)->key);
}

static inline uint64_t entry_hash(const nxd_map *map, int64_t entry) {
    return map->mode == MODE_INT ? hash_int(int_entries(map)[entry].key) : hashed_entries(map)[entry].hash;
}

static inline nxd_word *value_place(const nxd_map *map, int64_t entry) {
    return map->mode == MODE_INT ? &int_entries(map)[entry].value : &hashed_entries(map)[entry].value;
}

static inline nxd_word *key_place(const nxd_map *map, int64_t entry) {
    return map->mode == MODE_INT ? (nxd_word *)&int_entries(map)[entry].key : &hashed_entries(map)[entry].key;
}

NXD_OWNED nxd_map *nxd_map_new(int64_t type) {
    const nxd_type *key = rt_type(rt_type(type)->key);
    nxd_map *map = (nxd_map *)rt_object_new(sizeof(nxd_map), type);
    memset((char *)map + sizeof(nxd_object), 0, sizeof(nxd_map) - sizeof(nxd_object));
    map->mode = key->form == NXD_FORM_INT || key->form == NXD_FORM_BOOL ? MODE_INT
                : key->kind == NXD_KIND_STRING                          ? MODE_STRING
                                                                        : MODE_OTHER;
    return map;
}

// ---- searching -------------------------------------------------------------------------------------------------------------------

// Slots agree with a hash in the bits above the entry's number.
static inline uint32_t tag_of(const nxd_map *map, uint64_t hash) {
    return (uint32_t)(hash >> 32) & ~(uint32_t)map->mask;
}

static inline bool equals_int(const nxd_map *map, int64_t entry, nxd_word key, uint64_t hash) {
    (void)hash;
    return int_entries(map)[entry].key == (int64_t)key;
}

static inline bool equals_string(const nxd_map *map, int64_t entry, nxd_word key, uint64_t hash) {
    const hashed_entry *e = &hashed_entries(map)[entry];
    if (e->hash != hash)
        return false;
    return rt_hash_is_exact(hash) || // the key itself, likely far away, need not be read
           rt_string_equal((const nxd_string *)rt_word_object(e->key), (const nxd_string *)rt_word_object(key));
}

static bool equals_other(const nxd_map *map, int64_t entry, nxd_word key, uint64_t hash) {
    const hashed_entry *e = &hashed_entries(map)[entry];
    return e->hash == hash && rt_equal_private(e->key, key, rt_type_of(&map->head)->key);
}

typedef bool equals(const nxd_map *map, int64_t entry, nxd_word key, uint64_t hash);

// The entry of a key, or -1; *slot is its place in the index, or the empty one where the search ended. Inlined once for each mode.
static inline __attribute__((always_inline)) int64_t search(const nxd_map *map, nxd_word key, uint64_t hash, uint64_t *slot,
                                                            equals *is_key) {
    if (map->index == NULL) {
        for (int64_t entry = 0; entry < map->used; entry++)
            if (is_key(map, entry, key, hash))
                return entry;
        return -1;
    }
    uint32_t bits = (uint32_t)map->mask, tag = tag_of(map, hash);
    for (uint64_t place = hash & map->mask;; place = (place + 1) & map->mask) {
        uint32_t held = map->index[place];
        if (held == EMPTY) {
            *slot = place;
            return -1;
        }
        if ((held & ~bits) == tag && (held & bits) >= FIRST_ENTRY) {
            int64_t entry = (int64_t)(held & bits) - FIRST_ENTRY;
            if (is_key(map, entry, key, hash)) {
                *slot = place;
                return entry;
            }
        }
    }
}

static int64_t find_slot(const nxd_map *map, nxd_word key, uint64_t hash, uint64_t *slot) {
    switch (map->mode) {
    case MODE_INT:
        return search(map, key, hash, slot, equals_int);
    case MODE_STRING:
        return search(map, key, hash, slot, equals_string);
    default:
        return search(map, key, hash, slot, equals_other);
    }
}

static int64_t find_entry(const nxd_map *map, nxd_word key, uint64_t hash) {
    uint64_t slot;
    return find_slot(map, key, hash, &slot);
}

nxd_word *nxd_map_find_int(nxd_map *map, int64_t key) {
    uint64_t slot;
    int64_t entry = search(map, (nxd_word)key, hash_int(key), &slot, equals_int);
    return entry < 0 ? NULL : &int_entries(map)[entry].value;
}

nxd_word *nxd_map_find_string(nxd_map *map, nxd_string *key) {
    uint64_t slot;
    if (map->length == 0)
        return NULL;
    int64_t entry = search(map, rt_ptr_word(key), rt_string_hash(key), &slot, equals_string);
    return entry < 0 ? NULL : &hashed_entries(map)[entry].value;
}

nxd_word *nxd_map_find(nxd_map *map, nxd_word key) {
    if (map->length == 0)
        return NULL;
    int64_t entry = find_entry(map, key, hash_of(map, key));
    return entry < 0 ? NULL : value_place(map, entry);
}

// ---- the index --------------------------------------------------------------------------------------------------------------------------

static inline int64_t slot_limit(uint64_t slots) {
    return (int64_t)(slots / 8 * 5);
}

static inline void put_slot(nxd_map *map, int64_t entry, uint64_t hash) {
    uint64_t place = hash & map->mask;
    while (map->index[place] > REMOVED)
        place = (place + 1) & map->mask;
    map->filled += map->index[place] == EMPTY;
    map->index[place] = tag_of(map, hash) | (uint32_t)(entry + FIRST_ENTRY);
}

// Moves the live entries together.
static void close_holes(nxd_map *map) {
    if (map->holes == NULL)
        return;
    int64_t size = entry_size(map), to = 0;
    char *entries = map->entries;
    for (int64_t from = 0; from < map->used; from++)
        if (!is_hole(map, from)) {
            if (to != from)
                memcpy(entries + to * size, entries + from * size, (size_t)size);
            to++;
        }
    map->used = to;
    map->first = 0;
    rt_free(map->holes, holes_size(map->capacity));
    map->holes = NULL;
}

// A new index with room for at least `count` keys. Cache misses of neighbouring entries overlap by fetching ahead.
static void build_index(nxd_map *map, int64_t count) {
    close_holes(map);
    uint64_t slots = map->index == NULL ? FIRST_SLOTS : map->mask + 1;
    rt_free_table(map->index, (int64_t)(map->mask + 1) * 4);
    while (slot_limit(slots) < count)
        slots *= 2;
    if (slots > UINT64_C(1) << 31)
        rt_fatal_memory();
    map->index = rt_alloc_table((int64_t)slots * 4);
    map->mask = slots - 1;
    map->filled = 0;
    uint64_t hashes[AHEAD];
    for (int64_t start = 0; start < map->used; start += AHEAD) {
        int64_t end = rt_min(start + AHEAD, map->used);
        for (int64_t entry = start; entry < end; entry++) {
            uint64_t hash = hashes[entry - start] = entry_hash(map, entry);
            __builtin_prefetch(&map->index[hash & map->mask], 1);
        }
        for (int64_t entry = start; entry < end; entry++)
            put_slot(map, entry, hashes[entry - start]);
    }
}

static void grow_entries(nxd_map *map) {
    int64_t size = entry_size(map);
    int64_t wanted = map->capacity == 0 ? MAP_FIRST_CAPACITY : 2 * map->capacity;
    wanted = rt_alloc_growth(wanted * size, (map->capacity + GROWTH_MIN) * size) / size;
    map->entries = rt_realloc(map->entries, map->capacity * size, wanted * size);
    if (map->holes != NULL) {
        int64_t old = holes_size(map->capacity), now = holes_size(wanted);
        map->holes = rt_realloc(map->holes, old, now);
        memset((char *)map->holes + old, 0, (size_t)(now - old));
    }
    map->capacity = wanted;
}

static inline bool has_room(const nxd_map *map) {
    return map->used != map->capacity && map->index != NULL && map->filled + 1 <= slot_limit(map->mask + 1) &&
           map->used + FIRST_ENTRY <= (int64_t)map->mask;
}

// Makes room for one more entry.
static RT_NOINLINE void make_room(nxd_map *map) {
    if (map->used == map->capacity) {
        if (map->holes != NULL && map->length <= map->used - map->used / 4)
            build_index(map, map->length + 1); // entries move: the index is made anew
        else
            grow_entries(map);
    }
    if (map->index == NULL) {
        if (map->used >= SMALL)
            build_index(map, 2 * map->used);
    } else if (map->filled + 1 > slot_limit(map->mask + 1) || map->used + FIRST_ENTRY > (int64_t)map->mask) {
        // twice the keys where they fill the index, else the same size without the removed ones
        build_index(map, map->length + 1 > slot_limit(map->mask + 1) / 2 ? slot_limit(map->mask + 1) + 1 : map->length + 1);
    }
}

// Adds a key that is not there; `slot` is where the search for it ended.
static inline void add_entry(nxd_map *map, NXD_TAKE nxd_word key, NXD_TAKE nxd_word value, uint64_t hash, uint64_t slot) {
    bool fits = has_room(map);
    if (RT_UNLIKELY(!fits))
        make_room(map);
    int64_t entry = map->used++;
    if (map->mode == MODE_INT)
        int_entries(map)[entry] = (int_entry){(int64_t)key, value};
    else
        hashed_entries(map)[entry] = (hashed_entry){key, value, hash};
    if (RT_UNLIKELY(map->holes != NULL))
        map->holes[entry >> 6] &= ~(UINT64_C(1) << (entry & 63));
    if (RT_LIKELY(fits)) {
        map->filled++;
        map->index[slot] = tag_of(map, hash) | (uint32_t)(entry + FIRST_ENTRY);
    } else if (map->index != NULL) {
        put_slot(map, entry, hash);
    }
    __atomic_store_n(&map->length, map->length + 1, __ATOMIC_RELAXED);
}

static void remove_small(nxd_map *map, int64_t entry) {
    int64_t size = entry_size(map);
    char *entries = map->entries;
    memmove(entries + entry * size, entries + (entry + 1) * size, (size_t)((map->used - entry - 1) * size));
    map->used--;
}

static void remove_entry(nxd_map *map, int64_t entry, uint64_t slot) {
    __atomic_store_n(&map->length, map->length - 1, __ATOMIC_RELAXED);
    if (map->index == NULL) {
        remove_small(map, entry);
        return;
    }
    map->index[slot] = REMOVED;
    if (map->index[(slot + 1) & map->mask] == EMPTY) // no search goes on over here
        for (; map->index[slot] == REMOVED; slot = (slot - 1) & map->mask) {
            map->index[slot] = EMPTY;
            map->filled--;
        }
    if (map->holes == NULL) {
        map->holes = rt_alloc(holes_size(map->capacity));
        memset(map->holes, 0, (size_t)holes_size(map->capacity));
    }
    map->holes[entry >> 6] |= UINT64_C(1) << (entry & 63);
    while (map->used > 0 && is_hole(map, map->used - 1))
        map->used--;
    if (map->used == 0)
        map->first = 0;
    while (map->first < map->used && is_hole(map, map->first))
        map->first++;
}

// ---- complete operations -------------------------------------------------------------------------------------------------------------------

static bool has_mutable_keys(const nxd_map *map) {
    return map->mode == MODE_OTHER && (rt_type(rt_type_of(&map->head)->key)->flags & NXD_TYPE_DEEP_IMMUTABLE) == 0;
}

// A key for looking up in a shared map: one nobody changes meanwhile. *owned tells whether to drop it.
static nxd_word private_key(const nxd_map *map, nxd_word key, bool *owned) {
    *owned = rt_is_shared(&map->head) && has_mutable_keys(map);
    return *owned ? nxd_clone(key, rt_type_of(&map->head)->key) : key;
}

static void drop_key(const nxd_map *map, nxd_word key, bool owned) {
    if (owned)
        rt_drop_word(key, (int64_t)rt_type(rt_type_of(&map->head)->key)->form);
}

static inline bool map_lock_shared(nxd_map *map) {
    bool shared = rt_is_shared(&map->head);
    if (RT_UNLIKELY(shared))
        rt_lock(map);
    return shared;
}

static inline void map_unlock_if(nxd_map *map, bool shared) {
    if (RT_UNLIKELY(shared))
        rt_unlock(map);
}

static int64_t map_key_form(const nxd_map *map) {
    return (int64_t)rt_type(rt_type_of(&map->head)->key)->form;
}

static int64_t value_form(const nxd_map *map) {
    return (int64_t)rt_type(rt_type_of(&map->head)->element)->form;
}

int64_t nxd_map_length(nxd_map *map) {
    return __atomic_load_n(&map->length, __ATOMIC_RELAXED);
}

bool rt_map_look_up(nxd_map *map, nxd_word key, NXD_OWNED nxd_word *value) {
    bool owned;
    nxd_word probe = private_key(map, key, &owned);
    uint64_t hash = hash_of(map, probe);
    bool shared = map_lock_shared(map);
    int64_t entry = find_entry(map, probe, hash);
    if (entry >= 0) {
        *value = *value_place(map, entry);
        rt_dup_word(*value, value_form(map));
    }
    map_unlock_if(map, shared);
    drop_key(map, probe, owned);
    return entry >= 0;
}

static RT_COLD NXD_OWNED nxd_error *key_error(const nxd_map *map, nxd_word key) {
    return rt_error_value(NXD_E1003, "", key, rt_type_of(&map->head)->key);
}

nxd_rw nxd_map_get(nxd_map *map, nxd_word key) {
    nxd_word value;
    return rt_map_look_up(map, key, &value) ? rt_ok(value) : rt_fail(key_error(map, key));
}

int64_t nxd_map_has(nxd_map *map, nxd_word key) {
    if (RT_LIKELY(map->mode != MODE_OTHER && !rt_is_shared(&map->head)))
        return (map->mode == MODE_INT ? nxd_map_find_int(map, (int64_t)key)
                                      : nxd_map_find_string(map, (nxd_string *)rt_word_object(key))) != NULL;
    bool owned;
    nxd_word probe = private_key(map, key, &owned);
    uint64_t hash = hash_of(map, probe);
    bool shared = map_lock_shared(map);
    int64_t entry = find_entry(map, probe, hash);
    map_unlock_if(map, shared);
    drop_key(map, probe, owned);
    return entry >= 0;
}

// The key as the map keeps it: its own copy where the program could change it.
static nxd_word stored_key(const nxd_map *map, NXD_TAKE nxd_word key) {
    if (!has_mutable_keys(map))
        return key;
    nxd_word copy = nxd_clone(key, rt_type_of(&map->head)->key);
    rt_drop_word(key, map_key_form(map));
    return copy;
}

// Sets a value under the key's hash. What was there comes out in *old; true if the key is new, and then taken.
static inline __attribute__((always_inline)) bool put_entry(nxd_map *map, nxd_word key, nxd_word value, uint64_t hash, nxd_word *old,
                                                            equals *is_key) {
    uint64_t slot = 0;
    int64_t entry = search(map, key, hash, &slot, is_key);
    if (entry < 0) {
        add_entry(map, key, value, hash, slot);
        return true;
    }
    nxd_word *place = value_place(map, entry);
    *old = *place;
    *place = value;
    return false;
}

static bool put_any_entry(nxd_map *map, nxd_word key, nxd_word value, uint64_t hash, nxd_word *old) {
    switch (map->mode) {
    case MODE_INT:
        return put_entry(map, key, value, hash, old, equals_int);
    case MODE_STRING:
        return put_entry(map, key, value, hash, old, equals_string);
    default:
        return put_entry(map, key, value, hash, old, equals_other);
    }
}

static RT_NOINLINE void set_general(nxd_map *map, NXD_TAKE nxd_word key, NXD_TAKE nxd_word value) {
    key = stored_key(map, key);
    uint64_t hash = hash_of(map, key);
    bool shared = rt_is_shared(&map->head);
    if (shared) {
        nxd_share(key, rt_type_of(&map->head)->key);
        nxd_share(value, rt_type_of(&map->head)->element);
        rt_lock(map);
    }
    nxd_word old;
    bool added = put_any_entry(map, key, value, hash, &old);
    map_unlock_if(map, shared);
    if (!added) { // the key that was there stays
        rt_drop_word(key, map_key_form(map));
        rt_drop_word(old, value_form(map));
    }
}

void nxd_map_set(nxd_map *map, NXD_TAKE nxd_word key, NXD_TAKE nxd_word value) {
    if (RT_UNLIKELY(map->mode != MODE_INT || rt_is_shared(&map->head))) {
        set_general(map, key, value);
        return;
    }
    nxd_word old;
    if (!put_entry(map, key, value, hash_int((int64_t)key), &old, equals_int))
        rt_drop_word(old, value_form(map));
}

int64_t nxd_map_remove(nxd_map *map, nxd_word key) {
    bool owned;
    nxd_word probe = private_key(map, key, &owned), old_key = 0, old_value = 0;
    uint64_t hash = hash_of(map, probe), slot = 0;
    bool shared = map_lock_shared(map);
    int64_t entry = find_slot(map, probe, hash, &slot);
    if (entry >= 0) {
        old_key = *key_place(map, entry);
        old_value = *value_place(map, entry);
        remove_entry(map, entry, slot);
    }
    map_unlock_if(map, shared);
    drop_key(map, probe, owned);
    if (entry >= 0) {
        rt_drop_word(old_key, map_key_form(map));
        rt_drop_word(old_value, value_form(map));
    }
    return entry >= 0;
}

// Adds to the word, unless that overflows.
static inline bool add_overflows(nxd_word *place, int64_t delta) {
    int64_t sum;
    bool overflow = __builtin_add_overflow((int64_t)*place, delta, &sum);
    if (!overflow)
        *place = (nxd_word)sum;
    return overflow;
}

static RT_NOINLINE nxd_error *add_int_general(nxd_map *map, nxd_word key, int64_t delta) {
    bool owned, overflow = false;
    nxd_word probe = private_key(map, key, &owned);
    uint64_t hash = hash_of(map, probe);
    bool shared = map_lock_shared(map);
    int64_t entry = find_entry(map, probe, hash);
    if (entry >= 0)
        overflow = add_overflows(value_place(map, entry), delta);
    map_unlock_if(map, shared);
    drop_key(map, probe, owned);
    if (entry < 0)
        return key_error(map, key);
    return overflow ? nxd_error_overflow() : NULL;
}

nxd_error *nxd_map_add_int(nxd_map *map, nxd_word key, int64_t delta) {
    if (RT_UNLIKELY(map->mode == MODE_OTHER || rt_is_shared(&map->head)))
        return add_int_general(map, key, delta);
    nxd_word *place = map->mode == MODE_INT ? nxd_map_find_int(map, (int64_t)key) : nxd_map_find_string(map, (nxd_string *)rt_word_object(key));
    if (RT_UNLIKELY(place == NULL))
        return key_error(map, key);
    return RT_UNLIKELY(add_overflows(place, delta)) ? nxd_error_overflow() : NULL;
}

nxd_error *nxd_map_add(nxd_map *map, nxd_word key, nxd_word more) {
    bool owned;
    nxd_word probe = private_key(map, key, &owned);
    uint64_t hash = hash_of(map, probe);
    bool shared = map_lock_shared(map);
    int64_t entry = find_entry(map, probe, hash);
    nxd_object *gone = NULL;
    if (entry >= 0)
        gone = rt_word_add(value_place(map, entry), more, rt_type_of(&map->head)->element, shared);
    map_unlock_if(map, shared);
    drop_key(map, probe, owned);
    if (gone != NULL)
        rt_drop(gone);
    return entry < 0 ? key_error(map, key) : NULL;
}

// ---- walking ---------------------------------------------------------------------------------------------------------------------------------

int64_t nxd_map_next(nxd_map *map, int64_t position) {
    if (position < map->first)
        position = map->first;
    while (position < map->used && is_hole(map, position))
        position++;
    return position < map->used ? position : -1;
}

nxd_word nxd_map_key_at(nxd_map *map, int64_t position) {
    return *key_place(map, position);
}

nxd_word nxd_map_value_at(nxd_map *map, int64_t position) {
    return *value_place(map, position);
}

typedef nxd_word map_at(nxd_map *map, int64_t position);

static nxd_list *collect(nxd_map *map, int64_t list_type, map_at *word_at, int64_t form) {
    nxd_map *seen = (nxd_map *)rt_snapshot(&map->head);
    nxd_list *list = nxd_list_new(list_type, seen->length);
    int64_t list_form = rt_list_form(list);
    for (int64_t i = nxd_map_next(seen, 0); i >= 0; i = nxd_map_next(seen, i + 1)) {
        nxd_word word = word_at(seen, i);
        rt_dup_word(word, form);
        rt_list_add(list, list_form, word);
    }
    rt_drop(&seen->head);
    return list;
}

NXD_OWNED nxd_list *nxd_map_keys(nxd_map *map, int64_t list_type) {
    nxd_list *list = collect(map, list_type, nxd_map_key_at, map_key_form(map));
    if (!has_mutable_keys(map))
        return list;
    nxd_word copy = nxd_clone(rt_ptr_word(list), list_type); // the map's own keys stay its own
    rt_drop(&list->head);
    return (nxd_list *)rt_word_object(copy);
}

NXD_OWNED nxd_list *nxd_map_values(nxd_map *map, int64_t list_type) {
    return collect(map, list_type, nxd_map_value_at, value_form(map));
}

// ---- for core: children, copies, freeing ---------------------------------------------------------------------------------------------------------

int64_t rt_map_word_count(const nxd_object *object) {
    const nxd_map *map = (const nxd_map *)object;
    bool counted = rt_form_is_counted(map_key_form(map)) || rt_form_is_counted(value_form(map));
    return counted ? 2 * map->used : 0;
}

nxd_word *rt_map_word_at(nxd_object *object, int64_t index, int64_t *form) {
    const nxd_map *map = (const nxd_map *)object;
    int64_t entry = index / 2;
    if (is_hole(map, entry))
        return NULL;
    *form = index % 2 == 0 ? map_key_form(map) : value_form(map);
    return index % 2 == 0 ? key_place(map, entry) : value_place(map, entry);
}

void rt_map_free_shell(nxd_object *object) {
    nxd_map *map = (nxd_map *)object;
    rt_free(map->entries, map->capacity * entry_size(map));
    rt_free_table(map->index, (int64_t)(map->mask + 1) * 4);
    if (map->holes != NULL)
        rt_free(map->holes, holes_size(map->capacity));
    rt_object_free(object, sizeof(nxd_map));
}

static void *copy_memory(const void *memory, int64_t size) {
    if (memory == NULL)
        return NULL;
    void *copy = rt_alloc(size);
    memcpy(copy, memory, (size_t)size);
    return copy;
}

NXD_OWNED nxd_object *rt_map_shallow_copy(nxd_object *object) {
    const nxd_map *map = (const nxd_map *)object;
    nxd_map *copy = (nxd_map *)rt_object_new(sizeof(nxd_map), object->type);
    memcpy((char *)copy + sizeof(nxd_object), (const char *)map + sizeof(nxd_object), sizeof(nxd_map) - sizeof(nxd_object));
    copy->entries = copy_memory(map->entries, map->capacity * entry_size(map));
    if (map->index != NULL) {
        copy->index = rt_alloc_table((int64_t)(map->mask + 1) * 4);
        memcpy(copy->index, map->index, (size_t)(map->mask + 1) * 4);
    }
    copy->holes = copy_memory(map->holes, holes_size(map->capacity));
    return &copy->head;
}
