// The end of a program: drain, cancellation, teardown.
//
// When MAIN has returned, the other processes go on until all have ended or none can go on, for at most NXD_DRAIN
// seconds (default 5).
// What is left is cancelled: it gets E3005, runs its FINALLY blocks and ends, within CANCEL_SECONDS. Then the program
// ends. A debug build also drops the module variables and reports what is still alive.
// Threads: runs as the last part of MAIN's process.
#include "nxd/handle.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/stack.h"
#include "nxd/start.h"
#include "nxd/worker.h"

#include <stdlib.h>

#define DRAIN_SECONDS 5.0
#define CANCEL_SECONDS 1.0

static double drain_seconds(void) {
    const char *text = getenv("NXD_DRAIN");
    char *end;
    double seconds = text == NULL ? DRAIN_SECONDS : strtod(text, &end);
    if (text != NULL && (end == text || !(seconds >= 0)))
        return DRAIN_SECONDS;
    return seconds;
}

bool rt_drain_is_over(void) {
    int64_t deadline = atomic_load_explicit(&rt_the_sched.drain_deadline, memory_order_relaxed);
    if (RT_LIKELY(deadline == RT_NEVER))
        return false;
    return deadline <= rt_program_now() ||
           atomic_load_explicit(&rt_the_sched.drain_limit, memory_order_relaxed) <= rt_now();
}

// Processes that have not ended. Exact when nothing else runs.
static int64_t drain_others_alive(void) {
    int64_t alive = 0;
    for (int32_t index = 0; index < rt_the_sched.worker_count; index++) {
        rt_worker *worker = rt_the_sched.workers[index];
        alive += atomic_load_explicit(&worker->started, memory_order_relaxed);
        alive -= atomic_load_explicit(&worker->ended, memory_order_relaxed);
    }
    return alive;
}

// Until all others have ended or nothing can go on, or the time is over.
static void drain_wait(rt_process *process, double seconds) {
    rt_section_begin(process);
    uint64_t round = rt_process_wait_begin(process, RT_WAITS_DRAIN);
    atomic_store_explicit(&rt_the_sched.drain_limit, rt_deadline_from(rt_now(), seconds), memory_order_relaxed);
    atomic_store_explicit(&rt_the_sched.drain_deadline, rt_deadline_after(seconds), memory_order_relaxed);
    if (round != 0)
        rt_process_park(process);
    atomic_store_explicit(&rt_the_sched.drain_deadline, RT_NEVER, memory_order_relaxed);
    rt_process_section_end(process);
}

static bool drain_cancel_one(rt_process *process, void *argument) {
    rt_worker *worker = argument;
    if (process->handle == NULL)
        return true;
    if (rt_process_cancel(process, NXD_E3005, rt_worker_shares(worker))) {
        rt_ready ready = {NULL, NULL};
        rt_ready_add(&ready, process);
        rt_ready_run(worker, &ready);
    }
    return true;
}

static void drain_cancel_others(rt_process *process) {
    rt_worker *worker = rt_section_begin(process);
    atomic_store(&rt_the_sched.cancelling, 1);
    rt_pool_each(drain_cancel_one, worker);
    rt_section_end(worker);
}

static bool drop_everything(void) {
#ifdef NXD_DEBUG
    return true;
#else
    return false;
#endif
}

// The debug build's end: everything must be gone.
static int64_t drain_teardown(rt_process *process) {
    if (nxd_program_main.teardown != NULL)
        nxd_program_main.teardown();
    rt_cycles_end(&process->cycles);
    return rt_leak_report();
}

_Noreturn void rt_drain(rt_process *process, nxd_rw result) {
    int64_t status = (int64_t)result.value;
    if (result.error != NULL) {
        rt_error_report(result.error, "error");
        status = 1;
    }
    bool all_ended = true;
    if (rt_the_sched.started) {
        drain_wait(process, drain_seconds());
        if (drain_others_alive() > 0) {
            drain_cancel_others(process);
            drain_wait(process, CANCEL_SECONDS);
        }
        all_ended = drain_others_alive() == 0;
    }
    if (drop_everything() && all_ended && drain_teardown(process) > 0 && status == 0)
        status = 99;
    rt_handle_report_failed();
    if (all_ended)
        rt_exit_checked(status);
    rt_exit(status);
}
