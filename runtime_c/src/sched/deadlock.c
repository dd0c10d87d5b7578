// Deadlock: what happens when everything waits and nothing can wake it.
//
// Found by the last worker to rest: no process is ready or running, no timer is left, nobody is in a blocking call. If
//   MAIN has returned and waits for the drain, the drain is over. Else MAIN waits too (it would be running, or the
//   program over), and the error is raised in it: E3002 if it waits in SEND, else E3003. It can be caught, and may
//   happen again.
// Threads: while the state lasts nothing else runs, so the deadlock_report reads other processes freely; it is made by
//   MAIN itself, the only one to be ready.
#include "nxd/handle.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/stack.h"
#include "nxd/worker.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINES_MOST = 20, REPORT_BYTES = 8192 };

bool rt_deadlock_resolve_locked(rt_worker *worker) {
    rt_process *process = rt_the_sched.main;
    uint64_t wait = atomic_load_explicit(&process->wait, memory_order_acquire);
    rt_wake wake = process->waits == RT_WAITS_DRAIN ? RT_WAKE_DONE : RT_WAKE_DEADLOCK;
    if (!rt_process_is_waiting(wait) || !rt_process_claim(process, wait, wake, true))
        return false;
    rt_runq_push(worker, process);
    return true;
}

// ---- the deadlock_report
// ----------------------------------------------------------------------------------------------------

typedef struct deadlock_report {
    char text[REPORT_BYTES];
    int length;
    int lines;
    int64_t more;
} deadlock_report;

static const char *const waits_in[] = {
    [RT_WAITS_NOT] = "is about to go on",
    [RT_WAITS_SEND] = "waits in SEND",
    [RT_WAITS_RECV] = "waits in RECV",
    [RT_WAITS_LOOP] = "waits in a LOOP over a channel",
    [RT_WAITS_AWAIT] = "waits in AWAIT",
    [RT_WAITS_SELECT] = "waits in SELECT",
    [RT_WAITS_SLEEP] = "waits in SLEEP",
    [RT_WAITS_DRAIN] = "has returned",
    [RT_WAITS_INPUT] = "waits for input",
};

__attribute__((format(printf, 2, 3))) static void report_append(deadlock_report *self, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int room = REPORT_BYTES - self->length;
    int written = vsnprintf(self->text + self->length, (size_t)room, format, arguments);
    va_end(arguments);
    if (written > 0)
        self->length += written < room ? written : room - 1;
}

static void report_append_site(deadlock_report *self, const char *before, const nxd_site *site) {
    if (site == NULL)
        return;
    report_append(self, "%s %s:%u", before, site->file, site->line);
    if (site->function != NULL && site->function[0] != '\0')
        report_append(self, " (%s)", site->function);
}

static bool report_add_process(rt_process *process, void *argument) {
    deadlock_report *self = argument;
    bool is_main = process == rt_the_sched.main;
    bool waits = rt_process_is_waiting(atomic_load_explicit(&process->wait, memory_order_relaxed));
    if (!is_main && (process->handle == NULL || !waits))
        return true;
    if (!is_main && self->lines >= LINES_MOST) {
        self->more++;
        return true;
    }
    self->lines++;
    if (is_main) {
        report_append(self, "\n  MAIN");
    } else {
        report_append(self, "\n  a process started");
        report_append_site(self, " at", process->site);
    }
    report_append(self, " %s", waits_in[process->waits]);
    report_append_site(self, " at", process->head.site);
    return true;
}

RT_COLD NXD_OWNED nxd_error *rt_deadlock_error(rt_process *process) {
    int32_t waited = process->waits;
    nxd_error *error = nxd_error_new(waited == RT_WAITS_SEND ? NXD_E3002 : NXD_E3003, NULL);
    deadlock_report *self = rt_alloc(sizeof *self);
    self->length = self->lines = 0;
    self->more = 0;
    report_append(self, "every process waits, and nothing can wake one:");
    report_add_process(process, self);
    rt_pool_each(report_add_process, self);
    if (self->more > 0)
        report_append(self, "\n  and %lld more", (long long)self->more);
    rt_error_add_note(error, rt_string_new(self->text, self->length));
    rt_free(self, sizeof *self);
    return error;
}
