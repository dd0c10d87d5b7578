// How programs end: deadlock, drain, uncaught errors, exit statuses. The runner (tests/runtime/test_sched.py) knows
//   what each prints.
#include "support.h"

#include "nxd/nxd_abi.gen.h"

#include <math.h>
#include <stdio.h>

#define CH(env, index) ((nxd_channel *)(uintptr_t)env_at(env, index))
#define W(pointer) rt_ptr_word(pointer)

static nxd_rw receiver(nxd_process *self, nxd_object *env) {
    static const nxd_site site = {"dead.nxd", "WORKER", 5, 1};
    self->site = &site;
    return nxd_channel_recv(self, CH(env, 0));
}

static nxd_rw deadlock_recv(nxd_process *self) {
    static const nxd_site site = {"dead.nxd", "MAIN", 12, 1};
    nxd_channel *c = channel(0), *d = channel(0);
    start(self, receiver, env4(W(c), 0, 0, 0));
    self->site = &site;
    return nxd_channel_recv(self, d); // uncaught
}

static nxd_rw deadlock_caught(nxd_process *self) {
    nxd_channel *c = channel(0), *one = channel(1);
    nxd_handle *other = spawn(self, receiver, env4(W(one), 0, 0, 0));
    expect(nxd_channel_recv(self, c).error, 3003);
    expect(nxd_channel_send(self, c, 1), 3002);
    nxd_select_case cases[] = {{c, 0, 0}, {c, 1, 4}};
    expect(nxd_select(self, cases, 2, INFINITY).error, 3003);
    int64_t more;
    expect(nxd_channel_next(self, c, &more).error, 3003);
    nxd_handle *task = spawn(self, receiver, env4(W(c), 0, 0, 0));
    expect(nxd_await(self, task).error, 3003);
    send_ok(self, c, 7); // and life goes on
    CHECK(await_ok(self, task) == 7);
    handle_drop(task);
    send_ok(self, one, 1);
    await_ok(self, other);
    handle_drop(other);
    channel_drop(one);
    channel_drop(c);
    puts("caught");
    return OK;
}

static nxd_rw alone(nxd_process *self) { // no process was ever started
    nxd_channel *c = channel(1);
    send_ok(self, c, 1);
    expect(nxd_channel_send(self, c, 1), 3002);
    CHECK(recv_ok(self, c) == 1);
    expect(nxd_channel_recv(self, c).error, 3003);
    channel_drop(c);
    CHECK(nxd_sleep(self, 0.01) == NULL);
    puts("alone");
    return OK;
}

static nxd_rw print_later(nxd_process *self, nxd_object *env) {
    nxd_error *error = nxd_sleep(self, (double)env_at(env, 0) / 1000);
    if (error != NULL)
        return rt_fail(error);
    puts("drained");
    return OK;
}

static nxd_rw drain_waits(nxd_process *self) {
    nxd_channel *c = channel(0);
    start(self, receiver, env4(W(c), 0, 0, 0)); // waits for ever: does not keep the program
    start(self, print_later, env4(100, 0, 0, 0));
    return rt_ok(3);
}

static nxd_rw clean_up(nxd_process *self, nxd_object *env) {
    (void)env;
    nxd_error *error = nxd_sleep(self, 1000);
    CHECK(error != NULL);
    printf("finally E%lld\n", (long long)nxd_error_code(error));
    return rt_fail(error);
}

static nxd_rw spin_for_ever(nxd_process *self, nxd_object *env) {
    (void)env;
    for (;;) {
        if (__atomic_load_n(&self->poll, __ATOMIC_RELAXED) == 0)
            continue;
        nxd_error *error = nxd_poll(self);
        if (error != NULL) {
            puts("finally spin");
            return rt_fail(error);
        }
    }
}

static nxd_rw drain_ends(nxd_process *self) { // NXD_DRAIN is short
    start(self, clean_up, NULL);
    start(self, spin_for_ever, NULL);
    return rt_ok(4);
}

static nxd_rw fails(nxd_process *self, nxd_object *env) {
    (void)self;
    return rt_fail(nxd_error_new((int64_t)env_at(env, 0), NULL));
}

static nxd_rw failures_reported(nxd_process *self) {
    start(self, fails, env4(1005, 0, 0, 0)); // nobody awaits it: reported when it ends
    CHECK(nxd_sleep(self, 0.02) == NULL);
    nxd_handle *held = spawn(self, fails, env4(1002, 0, 0, 0));
    CHECK(nxd_sleep(self, 0.02) == NULL);
    handle_drop(held); // reported now
    nxd_handle *seen = spawn(self, fails, env4(1003, 0, 0, 0));
    expect(nxd_await(self, seen).error, 1003); // not reported
    handle_drop(seen);
    nxd_handle *cancelled = spawn(self, clean_up, NULL);
    CHECK(nxd_sleep(self, 0.02) == NULL);
    nxd_cancel(self, cancelled); // nor this one
    handle_drop(cancelled);
    spawn(self, fails, env4(1004, 0, 0, 0)); // its handle is never dropped: reported at the end
    return OK;
}

static nxd_rw main_fails(nxd_process *self) {
    start(self, print_later, env4(30, 0, 0, 0));
    return rt_fail(nxd_error_new(1005, NULL));
}

static nxd_rw exit_now(nxd_process *self) {
    start(self, print_later, env4(100, 0, 0, 0));
    start(self, spin_for_ever, NULL);
    puts("before exit");
    nxd_exit(self, 7);
}

static nxd_rw self_wait(nxd_process *self, nxd_object *env) {
    nxd_handle *own = (nxd_handle *)(uintptr_t)recv_ok(self, CH(env, 0));
    return nxd_await(self, own);
}

static nxd_rw await_self(nxd_process *self) {
    nxd_channel *c = channel(1);
    nxd_handle *task = spawn(self, self_wait, env4(W(c), 0, 0, 0));
    send_ok(self, c, W(task));
    expect(nxd_await(self, task).error, 3003);
    nxd_cancel(self, task);
    expect(nxd_await(self, task).error, 3005);
    handle_drop(task);
    channel_drop(c);
    return OK;
}

// Timers of a TIMEOUT whose process has ended, and of waits that are over, do not count as hope.
static nxd_rw stale_timers(nxd_process *self) {
    nxd_channel *c = channel(0);
    nxd_handle *task = spawn(self, print_later, env4(1, 0, 0, 0));
    nxd_timeout(self, task, 1000000);
    await_ok(self, task);
    expect(nxd_channel_recv(self, c).error, 3003);
    handle_drop(task);
    channel_drop(c);
    return OK;
}

const test_case end_cases[] = {
    {"deadlock_recv", deadlock_recv}, {"deadlock_caught", deadlock_caught},
    {"alone", alone},                 {"drain_waits", drain_waits},
    {"drain_ends", drain_ends},       {"failures_reported", failures_reported},
    {"main_fails", main_fails},       {"exit_now", exit_now},
    {"await_self", await_self},       {"stale_timers", stale_timers},
    {NULL, NULL},
};
