// What the scheduler's tests share: types, environments, checks, the table of cases.
#ifndef SCHED_SUPPORT_H
#define SCHED_SUPPORT_H

#include "nxd/handle.h"
#include "nxd/object.h"

enum { // descriptors besides the fixed ones
    T_CHANNEL_INT = NXD_TYPE_FIRST,
    T_CHANNEL_STRING,
    T_TASK_INT,
    T_TASK_STRING,
    T_PROCESS_NONE,
    T_LIST_TASK,
    T_ENV, // four words, all ints
    T_ENV_P, // one counted pointer, three ints
    T_COUNT
};

extern int test_argc;
extern char **test_argv;

// Ends the test program with a message when the condition does not hold.
#define CHECK(condition) ((condition) ? (void)0 : test_failed(__FILE__, __LINE__, #condition))
_Noreturn void test_failed(const char *file, int line, const char *what);

// The n-th argument after the case's name, or a default.
int64_t test_argument(int index, int64_t otherwise);

// An environment of up to four words.
nxd_object *env4(nxd_word a, nxd_word b, nxd_word c, nxd_word d);
static inline nxd_word env_at(const nxd_object *env, int index) {
    return ((const nxd_struct *)env)->fields[index];
}

nxd_handle *spawn(nxd_process *self, nxd_entry entry, nxd_object *env);
// Without a handle.
void start(nxd_process *self, nxd_entry entry, nxd_object *env);
nxd_channel *channel(int64_t capacity);
void channel_drop(nxd_channel *channel);
void handle_drop(nxd_handle *handle);

// Operations that must succeed.
void send_ok(nxd_process *self, nxd_channel *channel, nxd_word value);
nxd_word recv_ok(nxd_process *self, nxd_channel *channel);
nxd_word await_ok(nxd_process *self, nxd_handle *handle);
// Consumes an error, which must have this code.
void expect(nxd_error *error, int64_t code);

typedef struct test_case {
    const char *name;
    nxd_rw (*run)(nxd_process *self);
} test_case;

#define OK rt_ok(0)

extern const test_case basic_cases[];
extern const test_case end_cases[];
extern const test_case storm_cases[];
extern const test_case bench_cases[];

#endif
