// The program the tests are cases of: `sched_test CASE [ARGUMENTS]`.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_argc;
char **test_argv;

#define INT_FIELD {"", NXD_TYPE_INT, NXD_FORM_INT}
static const nxd_field env_fields[] = {INT_FIELD, INT_FIELD, INT_FIELD, INT_FIELD};
static const nxd_field env_p_fields[] = {{"", T_CHANNEL_INT, NXD_FORM_PTR}, INT_FIELD, INT_FIELD, INT_FIELD};

static const nxd_type type_int = {.name = "int", .kind = NXD_KIND_INT, .form = NXD_FORM_INT};
static const nxd_type type_none = {.name = "none", .kind = NXD_KIND_NONE, .form = NXD_FORM_ANY};
static const nxd_type type_string = {
    .name = "string", .kind = NXD_KIND_STRING, .form = NXD_FORM_PTR, .flags = NXD_TYPE_DEEP_IMMUTABLE};
static const nxd_field some_field[] = {INT_FIELD};
static const nxd_variant option_variants[] = {
    {.name = "SOME", .field_count = 1, .fields = some_field},
    {.name = "NONE"},
};
static const nxd_type type_option = {
    .name = "OPTION<int>",
    .kind = NXD_KIND_UNION,
    .form = NXD_FORM_PTR,
    .variant_count = 2,
    .variants = option_variants,
};
static const nxd_type type_list_int = {
    .name = "LIST<int>", .kind = NXD_KIND_LIST, .form = NXD_FORM_PTR, .element = NXD_TYPE_INT};
static const nxd_type type_channel_int = {
    .name = "CHANNEL<int>", .kind = NXD_KIND_CHANNEL, .form = NXD_FORM_PTR, .element = NXD_TYPE_INT};
static const nxd_type type_channel_string = {
    .name = "CHANNEL<string>", .kind = NXD_KIND_CHANNEL, .form = NXD_FORM_PTR, .element = NXD_TYPE_STRING};
static const nxd_type type_task_int = {
    .name = "TASK<int>", .kind = NXD_KIND_TASK, .form = NXD_FORM_PTR, .element = NXD_TYPE_INT};
static const nxd_type type_task_string = {
    .name = "TASK<string>", .kind = NXD_KIND_TASK, .form = NXD_FORM_PTR, .element = NXD_TYPE_STRING};
static const nxd_type type_process_none = {
    .name = "PROCESS<none>", .kind = NXD_KIND_PROCESS, .form = NXD_FORM_PTR, .element = NXD_TYPE_NONE};
static const nxd_type type_list_task = {
    .name = "LIST<TASK<int>>", .kind = NXD_KIND_LIST, .form = NXD_FORM_PTR, .element = T_TASK_INT};
static const nxd_type type_env = {
    .name = "env", .kind = NXD_KIND_ENV, .form = NXD_FORM_PTR, .field_count = 4, .fields = env_fields};
static const nxd_type type_env_p = {
    .name = "env", .kind = NXD_KIND_ENV, .form = NXD_FORM_PTR, .field_count = 4, .fields = env_p_fields};

static const nxd_type *const types[T_COUNT] = {
    [NXD_TYPE_INT] = &type_int,
    [NXD_TYPE_NONE] = &type_none,
    [NXD_TYPE_STRING] = &type_string,
    [NXD_TYPE_OPTION_INT] = &type_option,
    [NXD_TYPE_LIST_INT] = &type_list_int,
    [T_CHANNEL_INT] = &type_channel_int,
    [T_CHANNEL_STRING] = &type_channel_string,
    [T_TASK_INT] = &type_task_int,
    [T_TASK_STRING] = &type_task_string,
    [T_PROCESS_NONE] = &type_process_none,
    [T_LIST_TASK] = &type_list_task,
    [T_ENV] = &type_env,
    [T_ENV_P] = &type_env_p,
};

_Noreturn void test_failed(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

int64_t test_argument(int index, int64_t otherwise) {
    return test_argc > index + 2 ? atoll(test_argv[index + 2]) : otherwise;
}

nxd_object *env4(nxd_word a, nxd_word b, nxd_word c, nxd_word d) {
    nxd_struct *env = (nxd_struct *)rt_object_new(40, T_ENV);
    env->fields[0] = a;
    env->fields[1] = b;
    env->fields[2] = c;
    env->fields[3] = d;
    return &env->head;
}

nxd_handle *spawn(nxd_process *self, nxd_entry entry, nxd_object *env) {
    static const nxd_site site = {"test.nxd", "TEST", 7, 1};
    return nxd_spawn(self, entry, env, T_TASK_INT, &site);
}

void start(nxd_process *self, nxd_entry entry, nxd_object *env) {
    nxd_drop((nxd_object *)spawn(self, entry, env));
}

nxd_channel *channel(int64_t capacity) {
    return nxd_channel_new(T_CHANNEL_INT, capacity);
}

void channel_drop(nxd_channel *dropped) {
    nxd_drop((nxd_object *)dropped);
}

void handle_drop(nxd_handle *handle) {
    nxd_drop((nxd_object *)handle);
}

void send_ok(nxd_process *self, nxd_channel *to, nxd_word value) {
    CHECK(nxd_channel_send(self, to, value) == NULL);
}

nxd_word recv_ok(nxd_process *self, nxd_channel *from) {
    nxd_rw received = nxd_channel_recv(self, from);
    CHECK(received.error == NULL);
    return received.value;
}

nxd_word await_ok(nxd_process *self, nxd_handle *handle) {
    nxd_rw result = nxd_await(self, handle);
    CHECK(result.error == NULL);
    return result.value;
}

void expect(nxd_error *error, int64_t code) {
    CHECK(error != NULL);
    CHECK(nxd_error_code(error) == code);
    nxd_error_drop(error);
}

static nxd_rw run_case(nxd_process *self, nxd_object *env) {
    static const test_case *const tables[] = {basic_cases, end_cases, storm_cases, bench_cases};
    (void)env;
    for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)
        for (const test_case *found = tables[table]; found->name != NULL; found++) {
            if (test_argc < 2)
                puts(found->name);
            else if (strcmp(found->name, test_argv[1]) == 0)
                return found->run(self);
        }
    return rt_ok(test_argc < 2 ? 0 : 2);
}

const nxd_program nxd_program_main = {
    .types = types,
    .type_count = T_COUNT,
    .flags = 1,
    .start = run_case,
    .version = "test",
};
