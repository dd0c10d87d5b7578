// One operation at a time: what LANGUAGE.md 6 says of each.
#include "support.h"

#include "nxd/nxd_abi.gen.h"
#include "nxd/option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CH(env, index) ((nxd_channel *)(uintptr_t)env_at(env, index))
#define W(pointer) rt_ptr_word(pointer)

static nxd_rw square(nxd_process *self, nxd_object *env) {
    (void)self;
    return rt_ok(env_at(env, 0) * env_at(env, 0));
}

static nxd_rw fail_with(nxd_process *self, nxd_object *env) {
    (void)self;
    return rt_fail(nxd_error_new((int64_t)env_at(env, 0), NULL));
}

static nxd_rw sleep_then(nxd_process *self, nxd_object *env) { // milliseconds, result
    nxd_error *error = nxd_sleep(self, (double)env_at(env, 0) / 1000);
    return error == NULL ? rt_ok(env_at(env, 1)) : rt_fail(error);
}

static nxd_rw spawn_and_await(nxd_process *self) {
    nxd_handle *task = spawn(self, square, env4(7, 0, 0, 0));
    CHECK(await_ok(self, task) == 49);
    CHECK(await_ok(self, task) == 49); // every time
    CHECK(!nxd_ping(task));
    handle_drop(task);
    CHECK(nxd_await_take(self, spawn(self, square, env4(5, 0, 0, 0))).value == 25);
    return OK;
}

static nxd_rw make_text(nxd_process *self, nxd_object *env) {
    (void)self;
    (void)env;
    return rt_ok(W(rt_string_ascii("text")));
}

static nxd_rw await_string(nxd_process *self) {
    nxd_handle *task = nxd_spawn(self, make_text, NULL, T_TASK_STRING, NULL);
    for (int turn = 0; turn < 3; turn++) {
        nxd_rw result = nxd_await(self, task);
        CHECK(strcmp(((nxd_string *)rt_word_object(result.value))->data, "text") == 0);
        nxd_drop(rt_word_object(result.value));
    }
    handle_drop(task);
    nxd_rw moved = nxd_await_take(self, nxd_spawn(self, make_text, NULL, T_TASK_STRING, NULL));
    nxd_drop(rt_word_object(moved.value));
    return OK;
}

static nxd_rw await_failed(nxd_process *self) {
    nxd_handle *task = spawn(self, fail_with, env4(1005, 0, 0, 0));
    expect(nxd_await(self, task).error, 1005);
    expect(nxd_await(self, task).error, 1005);
    handle_drop(task);
    expect(nxd_await_take(self, spawn(self, fail_with, env4(1004, 0, 0, 0))).error, 1004);
    return OK;
}

static nxd_rw await_list(nxd_process *self) {
    static const int64_t delays[] = {300, 100, 200, 0};
    nxd_list *tasks = nxd_list_new(T_LIST_TASK, 4);
    for (size_t index = 0; index < 4; index++)
        nxd_list_push(tasks, W(spawn(self, sleep_then, env4((nxd_word)delays[index], index, 0, 0))));
    nxd_rw all = nxd_await_all(self, tasks, NXD_TYPE_LIST_INT);
    CHECK(all.error == NULL);
    nxd_list *list = (nxd_list *)rt_word_object(all.value);
    CHECK(list->length == 4);
    nxd_word *words = list->data;
    CHECK(words[0] == 3 && words[1] == 1 && words[2] == 2 && words[3] == 0);
    nxd_drop(&list->head);
    nxd_list_push(tasks, W(spawn(self, fail_with, env4(1002, 0, 0, 0))));
    nxd_list_push(tasks, W(spawn(self, sleep_then, env4(10000, 0, 0, 0))));
    expect(nxd_await_all(self, tasks, NXD_TYPE_LIST_INT).error, 1002); // at once, not after the sleeper
    nxd_cancel(self, (nxd_handle *)rt_word_object(((nxd_word *)tasks->data)[5]));
    nxd_drop(&tasks->head);
    return OK;
}

static nxd_rw channel_order(nxd_process *self) {
    nxd_channel *c = channel(3);
    int64_t got;
    for (nxd_word value = 0; value < 3; value++)
        CHECK(nxd_channel_try_send(self, c, value).value == 1);
    CHECK(nxd_channel_try_send(self, c, 3).value == 0);
    for (nxd_word value = 0; value < 3; value++)
        CHECK(recv_ok(self, c) == value);
    CHECK(nxd_channel_try_recv(self, c, &got).error == NULL && got == 0);
    send_ok(self, c, 8);
    nxd_channel_close(self, c);
    nxd_channel_close(self, c); // harmless
    expect(nxd_channel_send(self, c, 9), 3001);
    expect(nxd_channel_try_send(self, c, 9).error, 3001);
    CHECK(recv_ok(self, c) == 8); // what is left is still there
    expect(nxd_channel_recv(self, c).error, 3001);
    CHECK(nxd_channel_try_recv(self, c, &got).error == NULL && got == 0);
    CHECK(nxd_channel_recv_timeout(self, c, 1.0, &got).error == NULL && got == 0);
    CHECK(nxd_channel_next(self, c, &got).error == NULL && got == 0);
    channel_drop(c);
    return OK;
}

static nxd_rw channel_leftovers(nxd_process *self) {
    nxd_channel *strings = nxd_channel_new(T_CHANNEL_STRING, -1);
    for (int turn = 0; turn < 1000; turn++)
        CHECK(nxd_channel_send(self, strings, W(rt_string_ascii("left"))) == NULL);
    for (int turn = 0; turn < 10; turn++)
        nxd_drop(rt_word_object(recv_ok(self, strings)));
    channel_drop(strings); // drops the rest
    nxd_channel *closed = nxd_channel_new(T_CHANNEL_STRING, 1);
    nxd_channel_close(self, closed);
    expect(nxd_channel_send(self, closed, W(rt_string_ascii("taken even so"))), 3001);
    channel_drop(closed);
    return OK;
}

static nxd_rw send_later(nxd_process *self, nxd_object *env) { // channel, ms, value
    nxd_error *error = nxd_sleep(self, (double)env_at(env, 1) / 1000);
    if (error == NULL)
        error = nxd_channel_send(self, CH(env, 0), env_at(env, 2));
    return error == NULL ? OK : rt_fail(error);
}

static nxd_rw timed_receive(nxd_process *self) {
    nxd_channel *c = channel(0);
    int64_t got;
    int64_t start_time = rt_now();
    CHECK(nxd_channel_recv_timeout(self, c, 0.05, &got).error == NULL && got == 0);
    CHECK(rt_now() - start_time >= 50000000);
    nxd_handle *task = spawn(self, send_later, env4(W(c), 10, 77, 0));
    nxd_rw received = nxd_channel_recv_timeout(self, c, 5, &got);
    CHECK(got && received.value == 77);
    await_ok(self, task);
    handle_drop(task);
    nxd_rw option = nxd_channel_recv_timeout_option(self, c, 0.01, NXD_TYPE_OPTION_INT);
    CHECK(((nxd_union *)rt_word_object(option.value))->tag == RT_NONE);
    nxd_drop(rt_word_object(option.value));
    // A timer that is stale must neither fire nor keep the program from ending.
    task = spawn(self, send_later, env4(W(c), 1, 78, 0));
    nxd_channel_recv_timeout(self, c, 1000, &got);
    CHECK(got);
    handle_drop(task);
    channel_drop(c);
    return OK;
}

static nxd_rw close_later(nxd_process *self, nxd_object *env) {
    expect(nxd_sleep(self, 0.01) == NULL ? nxd_error_new(1, NULL) : NULL, 1);
    nxd_channel_close(self, CH(env, 0));
    return OK;
}

static nxd_rw close_wakes(nxd_process *self) {
    nxd_channel *c = channel(0);
    nxd_handle *task = spawn(self, close_later, env4(W(c), 0, 0, 0));
    expect(nxd_channel_recv(self, c).error, 3001);
    await_ok(self, task);
    handle_drop(task);
    channel_drop(c);
    c = channel(0);
    task = spawn(self, close_later, env4(W(c), 0, 0, 0));
    expect(nxd_channel_send(self, c, 1), 3001);
    await_ok(self, task);
    handle_drop(task);
    channel_drop(c);
    return OK;
}

static nxd_rw wait_forever(nxd_process *self, nxd_object *env) {
    nxd_rw received = nxd_channel_recv(self, CH(env, 0));
    if (received.error != NULL) { // a FINALLY that sends: there is room, so it need not wait
        nxd_error *error = nxd_channel_send(self, CH(env, 1), 1);
        CHECK(error == NULL);
        nxd_channel *rendezvous = channel(0);
        // Where it would wait, it is raised again.
        expect(nxd_channel_send(self, rendezvous, 1), nxd_error_code(received.error));
        channel_drop(rendezvous);
    }
    return received;
}

static nxd_rw spin(nxd_process *self, nxd_object *env) {
    (void)env;
    for (;;) {
        if (__atomic_load_n(&self->poll, __ATOMIC_RELAXED) == 0)
            continue;
        nxd_error *error = nxd_poll(self);
        if (error != NULL)
            return rt_fail(error);
    }
}

static nxd_rw esc(nxd_process *self) {
    nxd_channel *never = channel(0), *finally = channel(8);
    nxd_handle *waiting = spawn(self, wait_forever, env4(W(never), W(finally), 0, 0));
    CHECK(nxd_sleep(self, 0.01) == NULL);
    CHECK(nxd_ping(waiting));
    nxd_cancel(self, waiting);
    nxd_cancel(self, waiting); // once is enough
    expect(nxd_await(self, waiting).error, 3005);
    CHECK(recv_ok(self, finally) == 1);
    CHECK(!nxd_ping(waiting));
    nxd_handle *spinning = spawn(self, spin, NULL);
    CHECK(nxd_sleep(self, 0.01) == NULL);
    nxd_cancel(self, spinning);
    expect(nxd_await(self, spinning).error, 3005);
    nxd_handle *unborn = spawn(self, square, env4(3, 0, 0, 0));
    nxd_cancel(self, unborn); // with one worker it has not begun
    nxd_rw result = nxd_await(self, unborn);
    if (result.error != NULL)
        expect(result.error, 3005);
    nxd_handle *sleeping = spawn(self, sleep_then, env4(100000, 0, 0, 0));
    CHECK(nxd_sleep(self, 0) == NULL);
    nxd_cancel(self, sleeping);
    expect(nxd_await(self, sleeping).error, 3005);
    handle_drop(waiting);
    handle_drop(spinning);
    handle_drop(unborn);
    handle_drop(sleeping);
    channel_drop(never);
    channel_drop(finally);
    return OK;
}

static nxd_rw timeout(nxd_process *self) {
    nxd_handle *slow = spawn(self, sleep_then, env4(100000, 0, 0, 0));
    nxd_handle *quick = spawn(self, sleep_then, env4(1, 5, 0, 0));
    nxd_handle *spinning = spawn(self, spin, NULL);
    nxd_handle *replaced = spawn(self, sleep_then, env4(30, 6, 0, 0));
    nxd_timeout(self, slow, 20);
    nxd_timeout(self, quick, 100000);
    nxd_timeout(self, spinning, 20);
    nxd_timeout(self, replaced, 5);
    nxd_timeout(self, replaced, 100000); // the later one counts
    expect(nxd_await(self, slow).error, 3004);
    CHECK(await_ok(self, quick) == 5);
    expect(nxd_await(self, spinning).error, 3004);
    CHECK(await_ok(self, replaced) == 6);
    nxd_timeout(self, quick, 1); // it has ended
    handle_drop(slow);
    handle_drop(quick);
    handle_drop(spinning);
    handle_drop(replaced);
    return OK;
}

static nxd_rw select_cases(nxd_process *self) {
    nxd_channel *a = channel(4), *b = channel(4), *full = channel(0);
    nxd_select_case cases[] = {{a, 0, 0}, {b, 0, 0}, {full, 1, 5}};
    CHECK(nxd_select(self, cases, 3, 0).value == 3); // nothing is possible
    send_ok(self, a, 1);
    send_ok(self, b, 2);
    nxd_word seen = nxd_select(self, cases, 2, INFINITY).value;
    nxd_word other = nxd_select(self, cases, 2, INFINITY).value;
    CHECK(seen != other); // neither starves
    CHECK(cases[0].value == 1 && cases[1].value == 2);
    int64_t start_time = rt_now();
    CHECK(nxd_select(self, cases, 3, 0.02).value == 3);
    CHECK(rt_now() - start_time >= 20000000);
    nxd_handle *task = spawn(self, send_later, env4(W(b), 10, 99, 0));
    CHECK(nxd_select(self, cases, 3, 10).value == 1 && cases[1].value == 99);
    await_ok(self, task);
    handle_drop(task);
    nxd_channel_close(self, a);
    expect(nxd_select(self, cases, 1, INFINITY).error, 3001);
    nxd_select_case send_closed = {a, 1, 1};
    expect(nxd_select(self, &send_closed, 1, 0).error, 3001);
    task = spawn(self, close_later, env4(W(b), 0, 0, 0));
    expect(nxd_select(self, cases + 1, 2, INFINITY).error, 3001); // closed while it waits
    await_ok(self, task);
    handle_drop(task);
    CHECK(nxd_select(self, NULL, 0, 0.001).value == 0); // a TIMEOUT alone
    channel_drop(a);
    channel_drop(b);
    channel_drop(full);
    return OK;
}

// A SELECT that both sends to and receives from one channel must not serve itself.
static nxd_rw select_peer(nxd_process *self, nxd_object *env) {
    nxd_select_case cases[] = {{CH(env, 0), 1, env_at(env, 1)}, {CH(env, 0), 0, 0}};
    nxd_rw chosen = nxd_select(self, cases, 2, INFINITY);
    CHECK(chosen.error == NULL);
    return rt_ok(chosen.value == 0 ? 0 : cases[1].value);
}

static nxd_rw select_both_ways(nxd_process *self) {
    nxd_channel *c = channel(0);
    nxd_handle *one = spawn(self, select_peer, env4(W(c), 11, 0, 0));
    nxd_handle *two = spawn(self, select_peer, env4(W(c), 22, 0, 0));
    nxd_word x = await_ok(self, one), y = await_ok(self, two);
    CHECK((x == 0 && y == 11) || (x == 22 && y == 0));
    handle_drop(one);
    handle_drop(two);
    channel_drop(c);
    return OK;
}

static nxd_rw sleep_order(nxd_process *self) {
    nxd_channel *c = channel(-1);
    for (nxd_word ms = 300; ms > 0; ms -= 60)
        start(self, send_later, env4(W(c), ms, ms, 0));
    for (nxd_word ms = 60; ms <= 300; ms += 60)
        CHECK(recv_ok(self, c) == ms);
    CHECK(nxd_sleep(self, -1) == NULL && nxd_sleep(self, 0) == NULL && nxd_sleep_seconds(self, 0) == NULL);
    CHECK(nxd_sleep(self, __builtin_nan("")) == NULL);
    channel_drop(c);
    return OK;
}

// A process that never waits must not keep the others from running.
static nxd_rw preemption(nxd_process *self) {
    nxd_handle *spinners[8];
    for (int index = 0; index < 8; index++)
        spinners[index] = spawn(self, spin, NULL);
    nxd_handle *last = spawn(self, square, env4(9, 0, 0, 0));
    CHECK(await_ok(self, last) == 81);
    CHECK(nxd_sleep(self, 0.02) == NULL);
    for (int index = 0; index < 8; index++)
        nxd_cancel(self, spinners[index]);
    for (int index = 0; index < 8; index++) {
        expect(nxd_await(self, spinners[index]).error, 3005);
        handle_drop(spinners[index]);
    }
    handle_drop(last);
    return OK;
}

static int64_t recurse(nxd_process *self, nxd_error **error) {
    volatile char frame[200];
    frame[0] = 1;
    if ((uintptr_t)__builtin_frame_address(0) < __atomic_load_n(&self->stack_limit, __ATOMIC_RELAXED)) {
        *error = nxd_stack_check(self);
        if (*error != NULL)
            return 0;
    }
    return recurse(self, error) + frame[0];
}

static nxd_rw deep(nxd_process *self, nxd_object *env) {
    nxd_error *error = NULL;
    (void)env;
    recurse(self, &error);
    return rt_fail(error);
}

static nxd_rw stack_overflow(nxd_process *self) {
    nxd_error *error = NULL;
    recurse(self, &error);
    expect(error, 1007);
    for (int turn = 0; turn < 100; turn++) // deep stacks are reused and trimmed
        expect(nxd_await_take(self, spawn(self, deep, NULL)).error, 1007);
    nxd_handle *many[100];
    for (int turn = 0; turn < 100; turn++)
        many[turn] = spawn(self, deep, NULL);
    for (int turn = 0; turn < 100; turn++)
        expect(nxd_await_take(self, many[turn]).error, 1007);
    return OK;
}

static nxd_rw reader(nxd_process *self, nxd_object *env) {
    rt_hook_blocking_begin(self);
    int64_t until = rt_now() + (int64_t)env_at(env, 0) * 1000000;
    while (rt_now() < until) { // a system call, as far as the scheduler knows
    }
    rt_hook_blocking_end(self);
    return rt_ok(env_at(env, 0));
}

static nxd_rw blocking_calls(nxd_process *self) {
    nxd_handle *readers[4];
    for (int index = 0; index < 4; index++)
        readers[index] = spawn(self, reader, env4(30, 0, 0, 0));
    nxd_handle *other = spawn(self, square, env4(6, 0, 0, 0));
    int64_t start_time = rt_now();
    CHECK(await_ok(self, other) == 36);
    CHECK(rt_now() - start_time < 1000000000);
    nxd_object *shortly = env4(1, 0, 0, 0);
    for (int turn = 0; turn < 10; turn++)
        reader(self, shortly); // MAIN itself
    nxd_drop(shortly);
    for (int index = 0; index < 4; index++) {
        CHECK(await_ok(self, readers[index]) == 30);
        handle_drop(readers[index]);
    }
    handle_drop(other);
    return OK;
}

const test_case basic_cases[] = {
    {"spawn_and_await", spawn_and_await},
    {"await_string", await_string},
    {"await_failed", await_failed},
    {"await_list", await_list},
    {"channel_order", channel_order},
    {"channel_leftovers", channel_leftovers},
    {"timed_receive", timed_receive},
    {"close_wakes", close_wakes},
    {"esc", esc},
    {"timeout", timeout},
    {"select_cases", select_cases},
    {"select_both_ways", select_both_ways},
    {"sleep_order", sleep_order},
    {"preemption", preemption},
    {"stack_overflow", stack_overflow},
    {"blocking_calls", blocking_calls},
    {NULL, NULL},
};
