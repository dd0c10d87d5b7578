// The peers' concurrency programs on the scheduler alone: what compiled NXD can come near.
#include "support.h"

#include <stdio.h>

#define CH(env, index) ((nxd_channel *)(uintptr_t)env_at(env, index))
#define W(pointer) rt_ptr_word(pointer)

static nxd_rw echo(nxd_process *self, nxd_object *env) {
    for (;;) {
        int64_t value = (int64_t)recv_ok(self, CH(env, 0));
        if (value < 0)
            return OK;
        send_ok(self, CH(env, 1), (nxd_word)value + 1);
    }
}

static nxd_rw pingpong(nxd_process *self) {
    int64_t n = test_argument(0, 2000000);
    nxd_channel *ping = channel(0), *pong = channel(0);
    nxd_handle *task = spawn(self, echo, env4(W(ping), W(pong), 0, 0));
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        send_ok(self, ping, (nxd_word)i);
        sum += (int64_t)recv_ok(self, pong);
    }
    send_ok(self, ping, (nxd_word)-1);
    await_ok(self, task);
    handle_drop(task);
    channel_drop(ping);
    channel_drop(pong);
    printf("pingpong %lld\n", (long long)sum);
    return OK;
}

static nxd_rw produce(nxd_process *self, nxd_object *env) {
    int64_t n = (int64_t)env_at(env, 1);
    for (int64_t i = 0; i < n; i++)
        send_ok(self, CH(env, 0), (nxd_word)i);
    nxd_channel_close(self, CH(env, 0));
    return OK;
}

static nxd_rw throughput(nxd_process *self) {
    int64_t n = test_argument(0, 10000000), count = 0, sum = 0;
    nxd_channel *c = channel(64);
    start(self, produce, env4(W(c), (nxd_word)n, 0, 0));
    for (;;) {
        int64_t more;
        nxd_rw got = nxd_channel_next(self, c, &more);
        CHECK(got.error == NULL);
        if (!more)
            break;
        count++;
        sum += (int64_t)got.value;
    }
    printf("chan_throughput %lld %lld\n", (long long)count, (long long)sum);
    channel_drop(c);
    return OK;
}

static nxd_rw fan_producer(nxd_process *self, nxd_object *env) {
    int64_t n = (int64_t)env_at(env, 1);
    for (int64_t i = (int64_t)env_at(env, 2); i < n; i += 8)
        send_ok(self, CH(env, 0), (nxd_word)i);
    return OK;
}

static nxd_rw fan_in(nxd_process *self) {
    int64_t n = test_argument(0, 10000000), sum = 0;
    nxd_channel *c = channel(64);
    for (int64_t p = 0; p < 8; p++)
        start(self, fan_producer, env4(W(c), (nxd_word)n, (nxd_word)p, 0));
    for (int64_t i = 0; i < n; i++)
        sum += (int64_t)recv_ok(self, c);
    printf("fan_in %lld %lld\n", (long long)n, (long long)sum);
    return OK;
}

static nxd_rw ring_node(nxd_process *self, nxd_object *env) {
    for (;;) {
        nxd_rw token = nxd_channel_recv(self, CH(env, 0));
        if (token.error != NULL) // cancelled at the end
            return token;
        if (token.value == 0)
            break;
        send_ok(self, CH(env, 1), token.value - 1);
    }
    send_ok(self, CH(env, 2), env_at(env, 3));
    return OK;
}

static nxd_rw ring(nxd_process *self) {
    enum { MOST = 100000 };
    static nxd_channel *links[MOST];
    int64_t n = test_argument(0, 5000000), size = test_argument(1, 503);
    nxd_channel *done = channel(0);
    for (int64_t i = 0; i < size; i++)
        links[i] = channel(0);
    for (int64_t i = 0; i < size; i++)
        start(self, ring_node, env4(W(links[i]), W(links[(i + 1) % size]), W(done), (nxd_word)i + 1));
    send_ok(self, links[0], (nxd_word)n);
    printf("ring %lld\n", (long long)recv_ok(self, done));
    return OK;
}

static nxd_rw generate(nxd_process *self, nxd_object *env) {
    for (int64_t i = 2;; i++) {
        nxd_error *error = nxd_channel_send(self, CH(env, 0), (nxd_word)i);
        if (error != NULL)
            return rt_fail(error);
    }
}

static nxd_rw filter(nxd_process *self, nxd_object *env) {
    int64_t prime = (int64_t)env_at(env, 2);
    for (;;) {
        nxd_rw got = nxd_channel_recv(self, CH(env, 0));
        if (got.error != NULL)
            return got;
        if ((int64_t)got.value % prime == 0)
            continue;
        nxd_error *error = nxd_channel_send(self, CH(env, 1), got.value);
        if (error != NULL)
            return rt_fail(error);
    }
}

static nxd_rw primes(nxd_process *self) {
    int64_t n = test_argument(0, 3000), prime = 0;
    nxd_channel *c = channel(0);
    start(self, generate, env4(W(c), 0, 0, 0));
    for (int64_t i = 0; i < n; i++) {
        prime = (int64_t)recv_ok(self, c);
        nxd_channel *next = channel(0);
        start(self, filter, env4(W(c), W(next), (nxd_word)prime, 0));
        c = next;
    }
    printf("prime_pipeline %lld\n", (long long)prime);
    return OK;
}

static nxd_rw work(nxd_process *self, nxd_object *env) {
    int64_t i = (int64_t)env_at(env, 0);
    (void)self;
    return rt_ok((nxd_word)((i * i + 7) % 1000003));
}

static nxd_rw spawn_await(nxd_process *self) {
    int64_t n = test_argument(0, 1000000), sum = 0;
    for (int64_t i = 0; i < n; i++) {
        nxd_rw result = nxd_await_take(self, spawn(self, work, env4((nxd_word)i, 0, 0, 0)));
        sum += (int64_t)result.value;
    }
    printf("spawn_await %lld\n", (long long)sum);
    return OK;
}

static nxd_rw spawn_window(nxd_process *self) {
    enum { WINDOW = 10000 };
    static nxd_handle *tasks[WINDOW];
    int64_t n = test_argument(0, 1000000), sum = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i >= WINDOW)
            sum += (int64_t)nxd_await_take(self, tasks[i % WINDOW]).value;
        tasks[i % WINDOW] = spawn(self, work, env4((nxd_word)i, 0, 0, 0));
    }
    for (int64_t i = 0; i < WINDOW && i < n; i++)
        sum += (int64_t)nxd_await_take(self, tasks[(n + i) % (n < WINDOW ? n : WINDOW)]).value;
    printf("spawn_window %lld\n", (long long)sum);
    return OK;
}

static nxd_rw sleeper(nxd_process *self, nxd_object *env) {
    nxd_error *error = nxd_sleep(self, 1.0);
    CHECK(error == NULL);
    send_ok(self, CH(env, 0), env_at(env, 1));
    return OK;
}

static nxd_rw sleepers(nxd_process *self) {
    int64_t n = test_argument(0, 100000), sum = 0;
    nxd_channel *c = channel(0);
    for (int64_t i = 0; i < n; i++)
        start(self, sleeper, env4(W(c), (nxd_word)i, 0, 0));
    for (int64_t i = 0; i < n; i++)
        sum += (int64_t)recv_ok(self, c);
    printf("sleepers %lld %lld\n", (long long)n, (long long)sum);
    return OK;
}

static nxd_rw burn(nxd_process *self, nxd_object *env) {
    uint64_t x = env_at(env, 0) + 1;
    for (int64_t i = (int64_t)env_at(env, 1); i > 0; i--) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        if (__atomic_load_n(&self->poll, __ATOMIC_RELAXED) != 0) {
            nxd_error *error = nxd_poll(self);
            if (error != NULL)
                return rt_fail(error);
        }
    }
    return rt_ok(x >> 32);
}

// n tasks of `turns` turns each (a nanosecond or so): do the workers share them?
static nxd_rw parallel(nxd_process *self) {
    enum { MOST = 100000 };
    static nxd_handle *tasks[MOST];
    int64_t n = test_argument(0, 8), turns = test_argument(1, 100000000);
    nxd_word sum = 0;
    for (int64_t i = 0; i < n; i++)
        tasks[i] = spawn(self, burn, env4((nxd_word)i, (nxd_word)turns, 0, 0));
    for (int64_t i = 0; i < n; i++)
        sum += nxd_await_take(self, tasks[i]).value;
    printf("parallel %llu\n", (unsigned long long)sum);
    return OK;
}

static nxd_rw wait_for_close(nxd_process *self, nxd_object *env) {
    nxd_rw got = nxd_channel_recv(self, CH(env, 0));
    CHECK(got.error != NULL);
    nxd_error_drop(got.error);
    send_ok(self, CH(env, 1), 1);
    return OK;
}

// n processes that all wait at the same time.
static nxd_rw crowd(nxd_process *self) {
    int64_t n = test_argument(0, 1000000), sum = 0;
    nxd_channel *gate = channel(0), *done = channel(64);
    for (int64_t i = 0; i < n; i++)
        start(self, wait_for_close, env4(W(gate), W(done), 0, 0));
    CHECK(nxd_sleep(self, 0) == NULL);
    nxd_channel_close(self, gate);
    for (int64_t i = 0; i < n; i++)
        sum += (int64_t)recv_ok(self, done);
    printf("crowd %lld\n", (long long)sum);
    return OK;
}

const test_case bench_cases[] = {
    {"pingpong", pingpong},
    {"chan_throughput", throughput},
    {"fan_in", fan_in},
    {"ring", ring},
    {"prime_pipeline", primes},
    {"spawn_await", spawn_await},
    {"spawn_window", spawn_window},
    {"sleepers", sleepers},
    {"parallel", parallel},
    {"crowd", crowd},
    {NULL, NULL},
};
