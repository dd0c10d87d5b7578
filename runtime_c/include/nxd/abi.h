// The contract between generated code and the runtime.
//
// Purpose: object layouts, type descriptors, calling convention, and the entry points that generated code calls besides
//   the prelude functions (those are declared in nxd_abi.gen.h, generated from nxdc/tables/prelude).
//
// Calling convention
//   - What crosses this boundary is int64_t, double, a pointer or an nxd_any word. A bool crosses as int64_t 0 or 1, an
//     enum as its ordinal.
//   - A *word* is the 64-bit slot of a value of a known type: int and enum as they are, bool 0 or 1, float as its bits,
//     counted pointers as addresses, any as its tagged word. Struct fields, union payloads, captures, map keys and
//     values, channel elements and process results are words; list elements too, but for bool (one byte each).
//   - A function that can fail returns nxd_rw (the value as a word, and the error or NULL), or just nxd_error * where
//     there is no value. On error the value is meaningless and owns nothing; NXD_TAKE arguments are consumed all the same.
//   - Functions that may park or need the current process take it as first argument (`self`). Compiled functions get it
//     as a hidden first argument, so generated code never reads thread-local storage.
//   - NXD_TAKE: the callee consumes one reference. Unmarked: borrowed for the call. NXD_OWNED: the caller must drop it.
//
// Counts (rt rules in rc.c): above 0 plain, one process only; below 0 shared, changed atomically, magnitude is the count;
//   0 immortal, never written.
#ifndef NXD_ABI_H
#define NXD_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NXD_TAKE
#define NXD_OWNED
#define NXD_BORROWED

typedef uint64_t nxd_word;
typedef uint64_t nxd_any; // see "any" below

// ---- objects -------------------------------------------------------------------------------------------------------

typedef struct nxd_object {
    int32_t count;
    uint32_t type; // index into nxd_program.types
} nxd_object;

typedef struct nxd_string {
    nxd_object head;
    int64_t bytes; // without the terminating NUL
    int64_t chars; // code points; equal to bytes for ASCII
    uint64_t hash; // 0: not computed yet
    int64_t capacity; // bytes that fit in data, without the NUL
    char data[];   // valid UTF-8, NUL-terminated; may contain NULs
} nxd_string;

typedef struct nxd_list {
    nxd_object head;
    int64_t length;
    int64_t capacity;
    void *data; // NULL when capacity is 0; elements of 8 bytes, bools of 1 byte
} nxd_list;

typedef struct nxd_map nxd_map; // private to map.c but for the length, which is an int64_t right after the header

typedef struct nxd_struct { // structs, records, cells
    nxd_object head;
    nxd_word fields[];
} nxd_struct;

typedef struct nxd_union {
    nxd_object head;
    int64_t tag; // index of the variant
    nxd_word payload[];
} nxd_union;
// A variant without payload and an enum member inside an `any` are immortal objects with a tag, emitted by the compiler
// (nxd_variant.unit), one a type and variant: dup, drop and tag reads need no test for immediates.

typedef struct nxd_closure {
    nxd_object head;
    void *code;          // compiled function; its first arguments are self and this closure
    nxd_word captures[]; // forms in the descriptor's fields
} nxd_closure;

typedef struct nxd_channel nxd_channel;
typedef struct nxd_handle nxd_handle; // TASK and PROCESS values; always shared
typedef struct nxd_error nxd_error;   // owned by exactly one holder, never counted

// The running process. Generated code uses these fields only; the rest is private to sched/.
typedef struct nxd_process {
    uintptr_t stack_limit; // function entry: a stack pointer below this calls nxd_stack_check
    uint32_t poll;         // loop back edges: not 0 calls nxd_poll (atomic, relaxed)
    uint32_t reserved;
    const struct nxd_site *site; // where the process waits: set before a call that may park; for the deadlock report
} nxd_process;

// ---- any: one word ---------------------------------------------------------------------------------------------------
// low bit 1: a 63-bit int (value << 1 | 1). The three immediates below. Otherwise a pointer to a headed object: strings,
// lists, ... as they are; ints beyond 63 bits, floats, enum members (immortal unit objects) boxed.
#define NXD_ANY_NONE ((nxd_any)2)
#define NXD_ANY_FALSE ((nxd_any)6)
#define NXD_ANY_TRUE ((nxd_any)10)

// ---- type descriptors ------------------------------------------------------------------------------------------------

typedef enum nxd_form { // how a word is counted and boxed
    NXD_FORM_INT = 0,   // int, enum
    NXD_FORM_FLOAT = 1,
    NXD_FORM_BOOL = 2,
    NXD_FORM_PTR = 3, // counted pointer, never NULL
    NXD_FORM_ANY = 4  // any, none, nullable T
} nxd_form;

typedef enum nxd_kind {
    NXD_KIND_INT = 0,
    NXD_KIND_FLOAT = 1,
    NXD_KIND_BOOL = 2,
    NXD_KIND_NONE = 3,
    NXD_KIND_STRING = 4,
    NXD_KIND_ANY = 5,
    NXD_KIND_LIST = 6,
    NXD_KIND_MAP = 7,
    NXD_KIND_STRUCT = 8,
    NXD_KIND_RECORD = 9,
    NXD_KIND_ENUM = 10,
    NXD_KIND_UNION = 11,
    NXD_KIND_FUNCTION = 12, // closures; one descriptor per capture layout, `fields` are the captures
    NXD_KIND_CHANNEL = 13,
    NXD_KIND_TASK = 14,
    NXD_KIND_PROCESS = 15,
    NXD_KIND_CELL = 16,     // captured mutable variable: one field
    NXD_KIND_NULLABLE = 17, // word is an any; `element` is the type when it is not none
    NXD_KIND_ENV = 18,      // arguments of a spawned call: a struct no program sees
    NXD_KIND_BOX = 19       // trait object (reserved)
} nxd_kind;

enum { // nxd_type.flags
    NXD_TYPE_MUTABLE = 1,        // the program changes objects of this type after they are made
    NXD_TYPE_DEEP_IMMUTABLE = 2, // nothing reachable from it is ever changed: share instead of copy
    NXD_TYPE_CYCLIC = 4,         // can reach itself: candidate for the cycle collector
    NXD_TYPE_SHAREABLE = 8,      // reachable from a module variable of a program that starts processes
    NXD_TYPE_OPAQUE = 16         // printed as its name alone: trait objects
};

typedef struct nxd_field {
    const char *name; // "" where there is none
    uint32_t type;
    uint32_t form;    // nxd_form
} nxd_field;          // the i-th field is the i-th word of fields/payload/captures

typedef struct nxd_variant {
    const char *name;
    uint32_t field_count;
    uint32_t reserved;
    const nxd_field *fields;
    nxd_union *unit; // immortal object where field_count is 0 (unions), of every member (enums); else NULL
} nxd_variant;

typedef struct nxd_type {
    const char *name; // as the user writes it: "LIST<int>", "PERSON", "OPTION<any>"; in printing, arguments are left out
    uint32_t kind;    // nxd_kind
    uint32_t form;    // nxd_form of values of this type
    uint32_t flags;
    uint32_t family;  // same number for all instances of one generic type (OPTION<int>, OPTION<any>); 0: none
    uint32_t element; // LIST, CHANNEL, TASK, PROCESS, NULLABLE: their argument; MAP: the value type
    uint32_t key;     // MAP: the key type
    uint32_t field_count;
    uint32_t variant_count;
    const nxd_field *fields;     // STRUCT, RECORD, FUNCTION (captures), CELL, ENV
    const nxd_variant *variants; // ENUM, UNION
} nxd_type;

// Descriptors with these numbers are in every program, in this order; the compiler's own follow from NXD_TYPE_FIRST.
enum {
    NXD_TYPE_INT = 0, // also of boxed ints
    NXD_TYPE_FLOAT = 1, // also of boxed floats
    NXD_TYPE_BOOL = 2,
    NXD_TYPE_NONE = 3,
    NXD_TYPE_STRING = 4,
    NXD_TYPE_ANY = 5,
    NXD_TYPE_LIST_ANY = 6,
    NXD_TYPE_LIST_STRING = 7,
    NXD_TYPE_LIST_INT = 8,
    NXD_TYPE_OPTION_INT = 9, // OPTION and RESULT in declaration order: SOME = 0, NONE = 1; OK = 0, ERR = 1
    NXD_TYPE_OPTION_STRING = 10,
    NXD_TYPE_OPTION_ANY = 11,
    NXD_TYPE_RESULT_INT_STRING = 12,
    NXD_TYPE_RESULT_FLOAT_STRING = 13,
    NXD_TYPE_LIST_FLOAT = 14,
    NXD_TYPE_LIST_BOOL = 15,
    NXD_TYPE_TIMEINFO = 16, // record { YEAR, MONTH, DAY, HOUR, MIN, SEC, WEEKDAY: int }
    NXD_TYPE_FIRST = 20
};

// ---- results, errors ---------------------------------------------------------------------------------------------------

typedef struct nxd_rw {
    nxd_word value;
    nxd_error *error; // owned, or NULL
} nxd_rw;

typedef struct nxd_site { // one place of the source; emitted as constants
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
} nxd_site;

// Adds a line to the trace of an error on its way up.
void nxd_error_trace(nxd_error *error, const nxd_site *site);
// A new error. Codes: 1001 for E1001 and so on, 0 for THROW. `message` is the detail (or the thrown text); may be NULL.
NXD_OWNED nxd_error *nxd_error_new(int64_t code, NXD_TAKE nxd_string *detail);
int64_t nxd_error_code(const nxd_error *error);
// The message that CATCH binds, e.g. "E1002: index out of bounds: index 5, length 2". The error stays with its holder.
NXD_OWNED nxd_string *nxd_error_message(nxd_error *error);
void nxd_error_drop(NXD_TAKE nxd_error *error);
// Errors of inline checks (cold).
NXD_OWNED nxd_error *nxd_error_overflow(void);
NXD_OWNED nxd_error *nxd_error_division(void);
NXD_OWNED nxd_error *nxd_error_index(int64_t index, int64_t length);
NXD_OWNED nxd_error *nxd_error_none(void);
// E5001 of a MATCH; the value that no case takes is no part of the message, but of the report of an error nobody catches.
NXD_OWNED nxd_error *nxd_error_no_case(NXD_TAKE nxd_any value);

// ---- the program -------------------------------------------------------------------------------------------------------

typedef nxd_rw (*nxd_entry)(nxd_process *self, nxd_object *env); // env is borrowed; the result is owned

typedef struct nxd_program {
    const nxd_type *const *types;
    uint32_t type_count;
    uint32_t flags; // 1: the program can start processes
    nxd_entry start; // runs the initialisers and MAIN; env NULL; result: exit status
    const char *version; // of the compiler, for bug reports
    void (*teardown)(void); // drops the module variables at exit (leak check); may be NULL
} nxd_program;

extern const nxd_program nxd_program_main; // emitted by the compiler; main() is in sys/start.c

// ---- memory --------------------------------------------------------------------------------------------------------------

// A new object of `size` bytes with count 1 and type `type`; the rest is not initialised. Never NULL (E1009 is fatal here).
NXD_OWNED nxd_object *nxd_new(int64_t size, int64_t type);
// Release functions of generated code: the memory of one dead object whose counted words are dropped already, of `size`
// bytes as nxd_new made it; the same for a list with its data.
void nxd_free(NXD_TAKE nxd_object *object, int64_t size);
void nxd_free_shell(NXD_TAKE nxd_object *object);
// Called by the inline fast paths when the count is not plain, or is 1; also the whole operation in sanitizer builds.
void nxd_dup(nxd_object *object);
void nxd_drop(NXD_TAKE nxd_object *object);
// Inline code: dup: count > 0 ? count++ : nxd_dup(o). drop: count > 1 ? count-- : nxd_drop(o).
void nxd_dup_any(nxd_any value);
void nxd_drop_any(NXD_TAKE nxd_any value);
// The same value for another process: moves it if all of it is unique, marks it shared if its type is deeply immutable,
// else copies deeply. Channels, tasks, processes pass by identity; a closure's captures are transferred (snapshot).
NXD_OWNED nxd_word nxd_transfer(NXD_TAKE nxd_word value, int64_t type);
// Marks everything reachable as shared (before it is stored in a module variable).
void nxd_share(nxd_word value, int64_t type);
NXD_OWNED nxd_word nxd_clone(nxd_word value, int64_t type); // deep copy

// ---- values of any type ------------------------------------------------------------------------------------------------------

int64_t nxd_equal(nxd_word a, nxd_word b, int64_t type);        // by value / identity as LANGUAGE.md 3 says
int64_t nxd_compare(nxd_word a, nxd_word b, int64_t type);      // -1, 0, 1; int, float, string, bool, enum
NXD_OWNED nxd_string *nxd_format(nxd_word value, int64_t type); // as PRINT shows it at top level
NXD_OWNED nxd_string *nxd_append(NXD_TAKE nxd_string *text, nxd_word value, int64_t type); // text ADD value, in place if unique
NXD_OWNED nxd_string *nxd_append_string(NXD_TAKE nxd_string *text, nxd_string *more);
NXD_OWNED nxd_string *nxd_string_reserve(NXD_TAKE nxd_string *text, int64_t more); // the same text with room for `more` bytes
NXD_OWNED nxd_string *nxd_append_int(NXD_TAKE nxd_string *text, int64_t value);
// Writes one value; flags: 1 newline, 2 to stderr. Whole lines never interleave.
void nxd_print(nxd_word value, int64_t type, int64_t flags);

// ---- strings, lists, maps, structs: complete operations, also right for shared objects (they lock where count < 0) --------------
// Generated code uses inline fast paths instead where a type cannot be shared. Values given are taken, values got are owned.

nxd_rw nxd_string_at(nxd_string *text, int64_t index); // E1002
int64_t nxd_string_equal(nxd_string *a, nxd_string *b);
int64_t nxd_string_compare(nxd_string *a, nxd_string *b); // -1, 0, 1 by code point
NXD_OWNED nxd_string *nxd_string_concat(nxd_string *a, nxd_string *b);
// All parts of a chain of ADDs at once.
NXD_OWNED nxd_string *nxd_string_concat_all(nxd_string *const *parts, int64_t count);
// LOOP C IN S: the bytes of the character at a byte offset (below S's bytes), and that character as a string.
int64_t nxd_string_width(nxd_string *text, int64_t offset);
NXD_OWNED nxd_string *nxd_string_character(nxd_string *text, int64_t offset);
// S CONTAINS DIGIT ...: 0 DIGIT, 1 ALPHA, 2 SPACE, 3 UPPER, 4 LOWER; negated: whether some character is not of the class.
int64_t nxd_string_has_class(nxd_string *text, int64_t class_number, int64_t negated);
NXD_OWNED nxd_list *nxd_list_new(int64_t type, int64_t capacity);
nxd_rw nxd_list_get(nxd_list *list, int64_t index);
nxd_error *nxd_list_set(nxd_list *list, int64_t index, NXD_TAKE nxd_word value);
void nxd_list_push(nxd_list *list, NXD_TAKE nxd_word value);
void nxd_list_grow(nxd_list *list); // room for one more at least; only for lists that are not shared
nxd_error *nxd_list_add_int(nxd_list *list, int64_t index, int64_t delta);   // L[I] SETADD N, atomic
nxd_error *nxd_list_add(nxd_list *list, int64_t index, nxd_word more);       // float sum, string append, atomic
int64_t nxd_list_length(nxd_list *list);
void nxd_list_replace(nxd_list *list, NXD_TAKE nxd_list *items); // the list gets the elements of `items`
void nxd_list_truncate(nxd_list *list, int64_t length); // drops what is beyond

NXD_OWNED nxd_map *nxd_map_new(int64_t type);
// The address of the value's word, or NULL; valid until the map changes; not for maps that may be shared.
nxd_word *nxd_map_find_int(nxd_map *map, int64_t key);
nxd_word *nxd_map_find_string(nxd_map *map, nxd_string *key);
nxd_word *nxd_map_find(nxd_map *map, nxd_word key); // any key type
nxd_rw nxd_map_get(nxd_map *map, nxd_word key);     // E1003
int64_t nxd_map_has(nxd_map *map, nxd_word key);
void nxd_map_set(nxd_map *map, NXD_TAKE nxd_word key, NXD_TAKE nxd_word value);
int64_t nxd_map_remove(nxd_map *map, nxd_word key); // 1 if it was there; REMOVE of a missing key does nothing
nxd_error *nxd_map_add_int(nxd_map *map, nxd_word key, int64_t delta); // M[K] SETADD N, atomic; E1003, E1004
nxd_error *nxd_map_add(nxd_map *map, nxd_word key, nxd_word more);
NXD_OWNED nxd_list *nxd_map_keys(nxd_map *map, int64_t list_type);
int64_t nxd_map_length(nxd_map *map);
// LOOP over a map that the body does not change and that is not shared: the position of the next entry at or after `position`, -1 at
// the end; its key and value (borrowed words).
int64_t nxd_map_next(nxd_map *map, int64_t position);
nxd_word nxd_map_key_at(nxd_map *map, int64_t position);
nxd_word nxd_map_value_at(nxd_map *map, int64_t position);

NXD_OWNED nxd_word nxd_struct_get(nxd_struct *object, int64_t field);
void nxd_struct_set(nxd_struct *object, int64_t field, NXD_TAKE nxd_word value);
nxd_error *nxd_struct_add_int(nxd_struct *object, int64_t field, int64_t delta); // atomic
nxd_error *nxd_struct_add(nxd_struct *object, int64_t field, nxd_word more);     // float sum, string append

// Module variables that are assigned after start-up while processes exist. `type` is the variable's type.
NXD_OWNED nxd_word nxd_global_get(nxd_word *slot, int64_t type);
void nxd_global_set(nxd_word *slot, NXD_TAKE nxd_word value, int64_t type);
nxd_error *nxd_global_add_int(nxd_word *slot, int64_t delta);
nxd_error *nxd_global_add(nxd_word *slot, nxd_word more, int64_t type);

// ---- any -------------------------------------------------------------------------------------------------------------------------

NXD_OWNED nxd_any nxd_any_box(NXD_TAKE nxd_word value, int64_t type); // int, float, bool, enum; pointers are their own any
nxd_rw nxd_any_cast(NXD_TAKE nxd_any value, int64_t type);            // to a word of `type`; E5002 naming both types
nxd_rw nxd_any_as(NXD_TAKE nxd_any value, int64_t type);              // AS int, float, string: converts what it holds; E5002
int64_t nxd_any_type(nxd_any value);                                  // descriptor number of what it holds
int64_t nxd_any_is(nxd_any value, int64_t type);                      // IS: exactly this type
int64_t nxd_any_is_alike(nxd_any value, int64_t type);                // IS without type arguments: any instance of it
int64_t nxd_any_is_variant(nxd_any value, nxd_string *name);          // R IS OK on an any
// Operators found at run time. `op`: index of the operator word in nxdc/tables/operators.py ANY_OPERATORS. E1001 when undefined.
nxd_rw nxd_any_binary(int64_t op, nxd_any a, nxd_any b); // result an any
nxd_rw nxd_any_negate(nxd_any a);
nxd_rw nxd_any_truth(nxd_any a);                         // for IF, AND, OR, NOT: must be a bool (E5002)
nxd_rw nxd_any_field(nxd_any value, nxd_string *name);   // structs and records; result an any; E1001 without such a field
nxd_error *nxd_any_set_field(nxd_any value, nxd_string *name, NXD_TAKE nxd_any field);
nxd_rw nxd_any_index(nxd_any value, nxd_any index);      // list, map, string
nxd_error *nxd_any_set_index(nxd_any value, nxd_any index, NXD_TAKE nxd_any element);
nxd_error *nxd_any_remove(nxd_any value, nxd_any index); // REMOVE X[I]
nxd_error *nxd_any_push(nxd_any value, NXD_TAKE nxd_any element);
nxd_rw nxd_any_length(nxd_any value);                    // int word
nxd_rw nxd_any_walk(nxd_any value);                      // what LOOP X IN walks along: a list or channel itself; keys, characters
// The value there (an any); *more is 0 at the end. Parks when it walks along a channel.
nxd_rw nxd_any_step(nxd_process *self, nxd_any walked, int64_t index, int64_t *more);
nxd_rw nxd_any_walk_keys(nxd_any value);                 // for LOOP K, V IN: it must be a map
int64_t nxd_any_is_list(nxd_any value);
nxd_rw nxd_any_elements(nxd_any value);                  // LIST<any> of the elements of the list it holds; E1001 when it is none
void nxd_any_replace(nxd_any value, nxd_list *elements); // some of `nxd_any_elements` become all elements of the list
nxd_rw nxd_any_slice(nxd_any value, int64_t from);       // the rest of the list it holds, a new list of the same type
nxd_rw nxd_any_payload(nxd_any value, int64_t index);    // of a union held in an any
nxd_rw nxd_any_channel(nxd_any value);                   // the channel it holds; E1001
nxd_rw nxd_any_handle(nxd_any value);                    // the task or process it holds; E1001

// ---- processes -------------------------------------------------------------------------------------------------------------------

NXD_OWNED nxd_error *nxd_stack_check(nxd_process *self); // E1007, E3005, or NULL after giving way to others
NXD_OWNED nxd_error *nxd_poll(nxd_process *self);        // E3005, or NULL after giving way

// Starts a process that runs entry(env). `type`: descriptor of the handle (PROCESS<T> or TASK<T>). `name`: for reports.
NXD_OWNED nxd_handle *nxd_spawn(nxd_process *self, nxd_entry entry, NXD_TAKE nxd_object *env, int64_t type, const nxd_site *site);
// The entry's result is made independent of the ended process by the runtime (nxd_transfer).
nxd_rw nxd_await(nxd_process *self, nxd_handle *handle);               // parks; an independent value every time
nxd_rw nxd_await_take(nxd_process *self, NXD_TAKE nxd_handle *handle); // parks; for a handle that dies here: moves the result
nxd_rw nxd_await_all(nxd_process *self, nxd_list *handles, int64_t list_type); // completion order; parks
nxd_rw nxd_any_await(nxd_process *self, nxd_any value); // a task, a process or a list of these; the result is an any
int64_t nxd_ping(nxd_handle *handle);
void nxd_cancel(nxd_process *self, nxd_handle *handle);                // ESC
void nxd_timeout(nxd_process *self, nxd_handle *handle, int64_t ms);   // TIMEOUT

NXD_OWNED nxd_channel *nxd_channel_new(int64_t type, int64_t capacity); // capacity < 0: unbounded
nxd_rw nxd_channel_make(int64_t type, int64_t capacity);                // capacity < 0: E2001
nxd_error *nxd_channel_send(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value); // parks; value already transferred
nxd_rw nxd_channel_recv(nxd_process *self, nxd_channel *channel);                            // parks; E3001
// For LOOP X IN CH: *more is 0 once the channel is closed and drained (then no value).
nxd_rw nxd_channel_next(nxd_process *self, nxd_channel *channel, int64_t *more);
// Through a view of another element type (CHANNEL<any> of a CHANNEL<T> and the reverse): words of `type`; E5002 when one does not fit.
nxd_error *nxd_channel_send_as(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value, int64_t type);
nxd_rw nxd_channel_recv_as(nxd_process *self, nxd_channel *channel, int64_t type);
nxd_rw nxd_channel_next_as(nxd_process *self, nxd_channel *channel, int64_t type, int64_t *more);
void nxd_channel_close(nxd_process *self, nxd_channel *channel);
nxd_rw nxd_channel_try_send(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value); // bool word; E3001
nxd_rw nxd_channel_try_send_as(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value, int64_t type);
nxd_rw nxd_channel_try_recv(nxd_process *self, nxd_channel *channel, int64_t *got);          // closed and drained: *got = 0
nxd_rw nxd_channel_recv_timeout(nxd_process *self, nxd_channel *channel, double seconds, int64_t *got);

typedef struct nxd_select_case { // one case of SELECT, on the caller's stack
    nxd_channel *channel;
    int64_t is_send;
    nxd_word value; // to send (taken if chosen, else still the caller's); or received
} nxd_select_case;
// The chosen case's index, count when the timeout (seconds; infinity: none; not above 0: do not wait) ran out. Parks. E3001.
nxd_rw nxd_select(nxd_process *self, nxd_select_case *cases, int64_t count, double seconds);
// The same where channels may be views: `types` are those of the words, one a case; E5002 when one does not fit.
nxd_rw nxd_select_as(nxd_process *self, nxd_select_case *cases, int64_t count, double seconds, const int64_t *types);

nxd_error *nxd_sleep(nxd_process *self, double seconds); // parks

#endif
