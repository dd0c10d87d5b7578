// The clocks. See nxd/clock.h.
//
// Invariants: `simulated_now` is 0 while time is real, and grows only.
// Threads: it is written by the last worker that comes to rest, who holds sched.mutex.
#include "nxd/clock.h"

#include "nxd/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECOND = 1000000000, MILLISECOND = 1000000 };

static _Atomic int64_t simulated_now;
static int64_t simulated_start;
static int64_t simulated_start_ms; // the time of day then

static int64_t time_of_day_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / MILLISECOND;
}

bool rt_clock_start(void) {
    const char *text = getenv("NXD_CLOCK");
    if (RT_LIKELY(text == NULL) || strcmp(text, "real") == 0)
        return true;
    if (strcmp(text, "simulated") != 0)
        return false;
    simulated_start_ms = time_of_day_ms();
    simulated_start = rt_now();
    atomic_store(&simulated_now, simulated_start);
    return true;
}

bool rt_clock_is_simulated(void) {
    return simulated_start != 0;
}

int64_t rt_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

int64_t rt_program_now(void) {
    int64_t now = atomic_load_explicit(&simulated_now, memory_order_relaxed);
    return RT_LIKELY(now == 0) ? rt_now() : now;
}

int64_t rt_deadline_from(int64_t now, double seconds) {
    if (!(seconds > 0)) // also nan
        return now;
    double nanoseconds = seconds * SECOND;
    if (nanoseconds >= (double)(INT64_MAX - now))
        return RT_NEVER - 1;
    int64_t whole = (int64_t)nanoseconds; // rounded up by hand: programs that use no other mathematics then load no libm
    return now + whole + (nanoseconds > (double)whole);
}

int64_t rt_deadline_after(double seconds) {
    return rt_deadline_from(rt_program_now(), seconds);
}

void rt_clock_skip_to(int64_t deadline) {
    int64_t now = atomic_load_explicit(&simulated_now, memory_order_relaxed);
    if (now != 0 && deadline > now)
        atomic_store_explicit(&simulated_now, deadline, memory_order_relaxed);
}

int64_t rt_clock_ms(void) {
    int64_t now = atomic_load_explicit(&simulated_now, memory_order_relaxed);
    return RT_LIKELY(now == 0) ? time_of_day_ms() : simulated_start_ms + (now - simulated_start) / MILLISECOND;
}
