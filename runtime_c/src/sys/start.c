// main, EXIT, and signals.
//
// Signals: SIGPIPE keeps its default, so a program whose reader is gone ends quietly; SIGINT too. SIGSEGV gets a
//   handler on a stack of its own that says what probably happened: generated code checks its stack, but C called by it
//   has only the headroom.
// This file stands above the layers: it ties them together.
#include "nxd/start.h"

#include "nxd/clock.h"
#include "nxd/hooks.h"
#include "nxd/io.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNAL_STACK = 16 << 10 };

static void fault(int signal) {
    static const char text[] = "fatal: memory fault (a stack overflow in the runtime, or a bug of nxdc)\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    raise(signal); // the handler was reset: this ends the program
}

static void catch_faults(void) {
#if !defined(RT_ASAN) && !defined(RT_TSAN)
    static char stack[SIGNAL_STACK] __attribute__((aligned(16)));
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = fault;
    action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND | SA_NODEFER;
    sigaltstack(&alternate, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#else
    (void)fault; // the sanitizers have their own
#endif
}

// Writes out what was printed. The status of a program whose output is lost (a full disk) is not 0.
static int finish_output(int64_t status) {
    rt_io_flush();
    int error = rt_io_output_error();
    if (error == 0)
        return (int)(status & 0xff);
    char text[200];
    int bytes = snprintf(text, sizeof text, "error: E6001: i/o error: standard output: %s\n", strerror(error));
    rt_io_write_stderr(text, rt_min(bytes, (int64_t)sizeof text - 1));
    return (status & 0xff) == 0 ? 1 : (int)(status & 0xff);
}

_Noreturn void rt_exit(int64_t status) {
    _exit(finish_output(status)); // other threads may be running: no exit handlers
}

_Noreturn void rt_exit_checked(int64_t status) {
#if defined(RT_ASAN) || defined(RT_TSAN)
    exit(finish_output(status));
#else
    rt_exit(status);
#endif
}

_Noreturn void nxd_exit(nxd_process *self, int64_t code) {
    (void)self;
    rt_exit(code);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_DFL);
    catch_faults();
    rt_io_start(argc, argv);
    if (!rt_clock_start()) {
        static const char text[] = "error: NXD_CLOCK can be `real` or `simulated`\n";
        rt_io_write_stderr(text, sizeof text - 1);
        return 2;
    }
    rt_sched_run();
}
