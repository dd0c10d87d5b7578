// Many processes doing the same things at once: races of closing, cancelling, selecting, timing out. Every case checks
// a sum that must come out right whatever the order. The first argument scales the work.
#include "support.h"

#include <stdio.h>

#define CH(env, index) ((nxd_channel *)(uintptr_t)env_at(env, index))
#define W(pointer) rt_ptr_word(pointer)

static nxd_rw send_range(nxd_process *self, nxd_object *env) { // channel, first, count
    int64_t sent = 0;
    for (nxd_word value = env_at(env, 1); value < env_at(env, 1) + env_at(env, 2); value++) {
        nxd_error *error = nxd_channel_send(self, CH(env, 0), value);
        if (error != NULL) {
            expect(error, 3001);
            break;
        }
        sent++;
    }
    return rt_ok((nxd_word)sent);
}

static nxd_rw receive_all(nxd_process *self, nxd_object *env) { // channel -> how many
    int64_t count = 0, more;
    for (;;) {
        nxd_rw received = nxd_channel_next(self, CH(env, 0), &more);
        CHECK(received.error == NULL);
        if (!more)
            return rt_ok((nxd_word)count);
        count++;
    }
}

// Senders and receivers on one channel of every small capacity; everything sent is received.
static nxd_rw many_to_many(nxd_process *self) {
    int64_t each = test_argument(0, 2000);
    for (int64_t capacity = 0; capacity < 4; capacity++) {
        nxd_channel *c = channel(capacity);
        nxd_handle *senders[8], *receivers[8];
        int64_t received = 0;
        for (int64_t index = 0; index < 8; index++) {
            senders[index] = spawn(self, send_range, env4(W(c), (nxd_word)(index * each), (nxd_word)each, 0));
            receivers[index] = spawn(self, receive_all, env4(W(c), 0, 0, 0));
        }
        for (int index = 0; index < 8; index++)
            CHECK((int64_t)nxd_await_take(self, senders[index]).value == each);
        nxd_channel_close(self, c);
        for (int index = 0; index < 8; index++)
            received += (int64_t)nxd_await_take(self, receivers[index]).value;
        CHECK(received == 8 * each);
        channel_drop(c);
    }
    return OK;
}

// Closing while others send and receive: what was sent without an error is received.
static nxd_rw close_race(nxd_process *self) {
    int64_t rounds = test_argument(0, 300);
    for (int64_t round = 0; round < rounds; round++) {
        nxd_channel *c = channel(round % 5);
        nxd_handle *senders[4], *receivers[4];
        int64_t sent = 0, received = 0;
        for (int index = 0; index < 4; index++) {
            receivers[index] = spawn(self, receive_all, env4(W(c), 0, 0, 0));
            senders[index] = spawn(self, send_range, env4(W(c), 0, 1000000, 0));
        }
        for (int64_t turn = 0; turn < round % 7; turn++)
            CHECK(nxd_sleep(self, 0) == NULL);
        nxd_channel_close(self, c);
        for (int index = 0; index < 4; index++) {
            sent += (int64_t)nxd_await_take(self, senders[index]).value;
            received += (int64_t)nxd_await_take(self, receivers[index]).value;
        }
        CHECK(sent == received);
        channel_drop(c);
    }
    return OK;
}

static nxd_rw selecting(nxd_process *self, nxd_object *env) { // two channels, turns -> sent minus received
    int64_t balance = 0;
    for (nxd_word turn = 0; turn < env_at(env, 2); turn++) {
        nxd_select_case cases[] = {{CH(env, 0), 0, 0}, {CH(env, 1), 1, 1}, {CH(env, 1), 0, 0}, {CH(env, 0), 1, 1}};
        nxd_rw chosen = nxd_select(self, cases, 4, turn % 3 == 0 ? 0.0001 : turn % 3 == 1 ? 0 : 0.01);
        CHECK(chosen.error == NULL);
        if (chosen.value < 4)
            balance += cases[chosen.value].is_send ? 1 : -1;
        else if (turn % 16 == 0)
            CHECK(nxd_sleep(self, 0) == NULL);
    }
    return rt_ok((nxd_word)balance);
}

static nxd_rw select_storm(nxd_process *self) {
    int64_t turns = test_argument(0, 3000);
    nxd_channel *a = channel(0), *b = channel(2);
    nxd_handle *tasks[16];
    int64_t balance = 0, got;
    for (int index = 0; index < 16; index++)
        tasks[index] = spawn(self, selecting, env4(W(index % 2 ? a : b), W(index % 2 ? b : a), (nxd_word)turns, 0));
    for (int index = 0; index < 16; index++)
        balance += (int64_t)nxd_await_take(self, tasks[index]).value;
    for (got = 1; got;) {
        nxd_channel_try_recv(self, b, &got);
        balance -= got;
    }
    CHECK(balance == 0);
    channel_drop(a);
    channel_drop(b);
    return OK;
}

static nxd_rw park_anywhere(nxd_process *self, nxd_object *env) { // channel, kind
    int64_t got;
    nxd_select_case cases[] = {{CH(env, 0), 0, 0}, {CH(env, 0), 1, 3}};
    switch (env_at(env, 1) % 5) {
    case 0:
        return nxd_channel_recv(self, CH(env, 0));
    case 1: {
        nxd_error *error = nxd_channel_send(self, CH(env, 0), 2);
        return error == NULL ? OK : rt_fail(error);
    }
    case 2: {
        nxd_error *error = nxd_sleep(self, (double)(env_at(env, 2) % 3) / 10000);
        return error == NULL ? OK : rt_fail(error);
    }
    case 3:
        return nxd_select(self, cases, 2, (double)(env_at(env, 2) % 5) / 10000);
    default:
        return nxd_channel_recv_timeout(self, CH(env, 0), (double)(env_at(env, 2) % 5) / 10000, &got);
    }
}

// Cancels processes while they park, wake, time out, end.
static nxd_rw cancel_storm(nxd_process *self) {
    int64_t rounds = test_argument(0, 200);
    enum { EACH = 20 };
    for (int64_t round = 0; round < rounds; round++) {
        nxd_channel *c = channel(0);
        nxd_handle *tasks[EACH];
        for (int64_t index = 0; index < EACH; index++) {
            tasks[index] = spawn(self, park_anywhere, env4(W(c), (nxd_word)index, (nxd_word)(round + index), 0));
            if (index % 3 == 0)
                nxd_timeout(self, tasks[index], round % 2);
        }
        for (int64_t turn = 0; turn < round % 4; turn++)
            CHECK(nxd_sleep(self, turn == 3 ? 0.0002 : 0) == NULL);
        for (int64_t index = 0; index < EACH; index++)
            nxd_cancel(self, tasks[index]);
        for (int64_t index = 0; index < EACH; index++) {
            nxd_rw result = nxd_await_take(self, tasks[index]);
            if (result.error != NULL) {
                CHECK(nxd_error_code(result.error) == 3005 || nxd_error_code(result.error) == 3004);
                nxd_error_drop(result.error);
            }
        }
        channel_drop(c);
    }
    return OK;
}

static nxd_rw tree(nxd_process *self, nxd_object *env) { // depth -> leaves
    nxd_word depth = env_at(env, 0);
    if (depth == 0)
        return rt_ok(1);
    nxd_handle *left = spawn(self, tree, env4(depth - 1, 0, 0, 0));
    nxd_handle *right = spawn(self, tree, env4(depth - 1, 0, 0, 0));
    return rt_ok(nxd_await_take(self, left).value + nxd_await_take(self, right).value);
}

static nxd_rw spawn_tree(nxd_process *self) {
    nxd_word depth = (nxd_word)test_argument(0, 12);
    CHECK(nxd_await_take(self, spawn(self, tree, env4(depth, 0, 0, 0))).value == (nxd_word)1 << depth);
    return OK;
}

static nxd_rw await_one(nxd_process *self, nxd_object *env) {
    return nxd_await(self, (nxd_handle *)(uintptr_t)env_at(env, 0));
}

static nxd_rw slow_answer(nxd_process *self, nxd_object *env) {
    nxd_error *error = nxd_sleep(self, (double)(env_at(env, 0) % 3) / 10000);
    CHECK(error == NULL);
    return rt_ok(42);
}

// Many await one; the handles go in any order.
static nxd_rw await_storm(nxd_process *self) {
    int64_t rounds = test_argument(0, 200);
    enum { EACH = 16 };
    for (int64_t round = 0; round < rounds; round++) {
        nxd_handle *answer = spawn(self, slow_answer, env4((nxd_word)round, 0, 0, 0));
        nxd_list *waiting = nxd_list_new(T_LIST_TASK, EACH);
        for (int index = 0; index < EACH; index++)
            nxd_list_push(waiting, W(spawn(self, await_one, env4(W(answer), 0, 0, 0))));
        nxd_rw all = nxd_await_all(self, waiting, NXD_TYPE_LIST_INT);
        CHECK(all.error == NULL && nxd_list_length((nxd_list *)rt_word_object(all.value)) == EACH);
        for (int index = 0; index < EACH; index++)
            CHECK(((nxd_word *)((nxd_list *)rt_word_object(all.value))->data)[index] == 42);
        nxd_drop(rt_word_object(all.value));
        nxd_drop(&waiting->head);
        handle_drop(answer);
    }
    return OK;
}

static nxd_rw drop_early(nxd_process *self) { // handles dropped while their processes end
    int64_t rounds = test_argument(0, 20000);
    for (int64_t round = 0; round < rounds; round++) {
        nxd_handle *task = spawn(self, slow_answer, env4(0, 0, 0, 0));
        if (round % 3 == 0)
            CHECK(nxd_sleep(self, 0) == NULL);
        handle_drop(task);
    }
    return OK;
}

static nxd_rw blocker(nxd_process *self, nxd_object *env) {
    int64_t value = 0;
    for (nxd_word turn = 0; turn < env_at(env, 1); turn++) {
        rt_hook_blocking_begin(self);
        rt_hook_blocking_end(self);
        send_ok(self, CH(env, 0), turn);
        value++;
    }
    return rt_ok((nxd_word)value);
}

static nxd_rw blocking_storm(nxd_process *self) {
    int64_t turns = test_argument(0, 100);
    nxd_channel *c = channel(1);
    nxd_handle *tasks[6];
    for (int index = 0; index < 6; index++)
        tasks[index] = spawn(self, blocker, env4(W(c), (nxd_word)turns, 0, 0));
    for (int64_t left = 6 * turns; left > 0; left--)
        recv_ok(self, c);
    for (int index = 0; index < 6; index++)
        CHECK((int64_t)nxd_await_take(self, tasks[index]).value == turns);
    channel_drop(c);
    return OK;
}

// Work that is worth sharing comes and goes, so that workers wake and rest, and locks come and go with them.
static nxd_rw crunch(nxd_process *self, nxd_object *env) {
    volatile uint64_t x = 1;
    for (nxd_word turn = 0; turn < env_at(env, 1); turn++) {
        for (int index = 0; index < 2000; index++)
            x = x * 6364136223846793005u + 1;
        send_ok(self, CH(env, 0), 1);
        if (__atomic_load_n(&self->poll, __ATOMIC_RELAXED) != 0)
            CHECK(nxd_poll(self) == NULL);
    }
    return OK;
}

static nxd_rw waves(nxd_process *self) {
    int64_t rounds = test_argument(0, 20);
    nxd_channel *c = channel(3);
    for (int64_t round = 0; round < rounds; round++) {
        for (int index = 0; index < 12; index++)
            start(self, crunch, env4(W(c), 200, 0, 0));
        for (int index = 0; index < 12 * 200; index++)
            recv_ok(self, c);
        if (round % 2 == 0)
            CHECK(nxd_sleep(self, 0.002) == NULL);
    }
    channel_drop(c);
    return OK;
}

static nxd_rw report_turn(nxd_process *self, nxd_object *env) { // channel, number
    for (int turn = 0; turn < 5; turn++) {
        send_ok(self, CH(env, 0), env_at(env, 1));
        CHECK(nxd_sleep(self, 0) == NULL);
    }
    return OK;
}

// The order in which processes get their turns, for the test of NXD_SCHED_SEED.
static nxd_rw order(nxd_process *self) {
    nxd_channel *c = channel(2);
    for (nxd_word number = 0; number < 6; number++)
        start(self, report_turn, env4(W(c), number, 0, 0));
    for (int turn = 0; turn < 30; turn++)
        printf("%d", (int)recv_ok(self, c));
    putchar('\n');
    channel_drop(c);
    return OK;
}

const test_case storm_cases[] = {
    {"many_to_many", many_to_many}, {"close_race", close_race},   {"select_storm", select_storm},
    {"cancel_storm", cancel_storm}, {"spawn_tree", spawn_tree},   {"await_storm", await_storm},
    {"drop_early", drop_early},     {"blocking_storm", blocking_storm}, {"waves", waves},
    {"order", order},
    {NULL, NULL},
};
