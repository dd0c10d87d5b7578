// What core and data need from the scheduler, and the other way round. Nothing else crosses.
//
// Purpose: the layers are sched > data > core > sys. Where a lower layer must reach the scheduler it calls a function declared
//   in the first half of this header and defined in sched/ (unit tests of core and data define them in tests/runtime/hooks.c).
//   The second half is what the scheduler calls below.
// Threads: unless said otherwise a function may be called by any worker thread, and neither parks the process nor blocks.
#ifndef NXD_HOOKS_H
#define NXD_HOOKS_H

#include "nxd/abi.h"

// ---- defined in sched/, called by core and data --------------------------------------------------------------------------

// A process's possible roots of garbage cycles (core/cycles.c). Zeroed memory is an empty buffer.
typedef struct rt_cycle_buffer {
    nxd_object **items; // each owns one reference
    int64_t length;
    int64_t capacity;
    int64_t threshold; // 0: the default
    bool collecting;
} rt_cycle_buffer;

// The running process's buffer; while no process runs on this thread, one that belongs to the thread. Never NULL.
// Must be one non-inlined function: the answer is never kept across a park.
rt_cycle_buffer *rt_hook_cycle_buffer(void);

// Memory has run out: the running process gets E1009 at its next poll. May be called in the middle of anything that allocates.
void rt_hook_out_of_memory(void);

// Around a system call that may block the worker (READ_LINE, long writes): other processes go on meanwhile.
void rt_hook_blocking_begin(nxd_process *self);
void rt_hook_blocking_end(nxd_process *self);

// The last reference to a channel, task or process handle is gone: end it and free its memory. What it still holds is given to
// rt_pending_drop(pending, word, form), never dropped directly (deep structures must not recurse).
typedef struct rt_pending rt_pending;
void rt_hook_channel_destroy(nxd_channel *channel, rt_pending *pending);
void rt_hook_handle_destroy(nxd_handle *handle, rt_pending *pending);

// ---- defined in core, data and sys, called by sched/ ------------------------------------------------------------------------

void rt_pending_drop(rt_pending *pending, nxd_word word, int64_t form);

// Memory. rt_alloc never returns NULL; rt_free needs the size that was asked for. Uses a cache of the calling thread.
void *rt_alloc(int64_t size);
void rt_free(void *memory, int64_t size);
void rt_alloc_thread_end(void); // a worker thread ends: its cache goes to the global lists

// One dup or drop of a word of a known form (nxd_form).
void rt_dup_word(nxd_word word, int64_t form);
void rt_drop_word(nxd_word word, int64_t form);

// A process has ended: collects what its buffer holds and frees the buffer. The process must still be the current one.
void rt_cycles_end(rt_cycle_buffer *buffer);

// Marks one object as shared (not what it reaches): its count becomes negative.
void rt_share_object(nxd_object *object);

// Objects alive, for the leak report of debug builds: prints "leak: N objects" and types on stderr. Result: N (0 in release builds).
int64_t rt_leak_report(void);

// Output. Idle: a worker finds nothing to run. Exit: the program ends (also after a fatal error).
void rt_io_flush_idle(void);
void rt_io_flush(void);
// Writes the text on stderr after what stdout holds; whole texts never interleave.
void rt_io_write_stderr(const char *text, int64_t bytes);

// "error: E1002: ..." with the trace, as for an uncaught error; `prefix` e.g. "error" or "error in process WORK". Takes the error.
void rt_error_report(NXD_TAKE nxd_error *error, const char *prefix);
// A note for the report, printed after the trace; not part of the message. Takes the text; replaces an earlier note.
void rt_error_add_note(nxd_error *error, NXD_TAKE nxd_string *text);
// A copy for another holder that shares nothing with the original (an awaited error is raised at every AWAIT).
NXD_OWNED nxd_error *rt_error_copy(const nxd_error *error);

// ARGS and ENV: called once from main before anything else.
void rt_io_start(int argc, char **argv);

#endif
