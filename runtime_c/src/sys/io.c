// Standard output, error and input.
//
// Purpose: one buffer for standard output, whole lines for every process, reads by line.
// Invariants: `out` holds finished lines and what the program alone may write; a process's unfinished line waits in `lines` until it is ended, so that
//   lines of several processes never mix. Standard error is written at once, after what standard output holds.
// Threads: output is guarded by out_lock, input by in_lock; both are held while the kernel is called, which may block the worker, never the process.
// Rejected: stdio: its locks and format parsing cost more than the work, and it cannot tell whose line it is.
#include "nxd/io.h"

#include "nxd/alloc.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { OUT_BYTES = 1 << 16, IN_BYTES = 1 << 16 };

typedef struct io_line { // an unfinished one
    struct io_line *next;
    const void *writer;
    char *data;
    int64_t bytes;
    int64_t size;
} io_line;

static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static char io_out[OUT_BYTES];
static int64_t out_length;
static io_line *io_lines;
static int out_is_terminal = -1; // not known yet
static int out_error;            // errno of the first write to standard output that failed: what was printed is lost

static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;
static char in[IN_BYTES];
static int64_t in_start, in_end;

static int argument_count;
static char **io_arguments;

static void write_all(int file, const char *data, int64_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(file, data, (size_t)bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            if (file == STDOUT_FILENO && out_error == 0)
                out_error = errno; // told when the program ends
            return;
        }
        data += written;
        bytes -= written;
    }
}

static void flush_locked(void) {
    write_all(STDOUT_FILENO, io_out, out_length);
    __atomic_store_n(&out_length, 0, __ATOMIC_RELAXED);
}

static void put_locked(const char *data, int64_t bytes) {
    if (bytes > OUT_BYTES - out_length) {
        flush_locked();
        if (bytes > OUT_BYTES) {
            write_all(STDOUT_FILENO, data, bytes);
            return;
        }
    }
    memcpy(io_out + out_length, data, (size_t)bytes);
    __atomic_store_n(&out_length, out_length + bytes, __ATOMIC_RELAXED); // rt_io_flush_idle looks without the lock
}

// ---- unfinished lines ------------------------------------------------------------------------------------------------------------

static io_line **line_of(const void *writer) {
    io_line **at = &io_lines;
    while (*at != NULL && (*at)->writer != writer)
        at = &(*at)->next;
    return at;
}

static void keep_locked(const void *writer, const char *data, int64_t bytes) {
    io_line **at = line_of(writer);
    if (*at == NULL) {
        *at = rt_alloc(sizeof(io_line));
        **at = (io_line){.writer = writer};
    }
    io_line *own = *at;
    if (own->bytes + bytes > own->size) {
        int64_t size = rt_max(2 * own->size, own->bytes + bytes + 64);
        own->data = rt_realloc(own->data, own->size, size);
        own->size = size;
    }
    memcpy(own->data + own->bytes, data, (size_t)bytes);
    own->bytes += bytes;
}

static void end_line_locked(io_line **at) {
    io_line *own = *at;
    put_locked(own->data, own->bytes);
    *at = own->next;
    rt_free(own->data, own->size);
    rt_free(own, sizeof(io_line));
}

static void end_lines_locked(void) {
    while (io_lines != NULL)
        end_line_locked(&io_lines);
}

// ---- output ------------------------------------------------------------------------------------------------------------------------

static bool is_terminal(void) {
    if (out_is_terminal < 0)
        out_is_terminal = isatty(STDOUT_FILENO);
    return out_is_terminal > 0;
}

static bool is_alone(void) {
    return (nxd_program_main.flags & 1) == 0;
}

void rt_io_print(const void *writer, const char *data, int64_t bytes, bool newline) {
    if (bytes == 0)
        data = ""; // a buffer nothing was written to has no data, which memcpy and memrchr may not be given
    pthread_mutex_lock(&out_lock);
    if (RT_UNLIKELY(io_lines != NULL || (!newline && !is_alone()))) {
        const char *last = newline ? data + bytes : memrchr(data, '\n', (size_t)bytes);
        int64_t whole = newline ? bytes : last == NULL ? 0 : last + 1 - data;
        io_line **own = line_of(writer);
        if (*own != NULL && (newline || whole != 0))
            end_line_locked(own);
        put_locked(data, whole);
        if (whole != bytes)
            keep_locked(writer, data + whole, bytes - whole);
    } else {
        put_locked(data, bytes);
    }
    if (newline)
        put_locked("\n", 1);
    if (is_terminal() && (newline || is_alone()))
        flush_locked();
    pthread_mutex_unlock(&out_lock);
}

void rt_io_end_line(const void *writer) {
    if (__atomic_load_n(&io_lines, __ATOMIC_RELAXED) == NULL)
        return;
    pthread_mutex_lock(&out_lock);
    io_line **own = line_of(writer);
    if (*own != NULL)
        end_line_locked(own);
    pthread_mutex_unlock(&out_lock);
}

void rt_io_flush_idle(void) {
    if (__atomic_load_n(&out_length, __ATOMIC_RELAXED) == 0 && __atomic_load_n(&io_lines, __ATOMIC_RELAXED) == NULL)
        return;
    pthread_mutex_lock(&out_lock);
    if (is_terminal())
        end_lines_locked(); // somebody watches: PRINT(".") must be seen
    flush_locked();
    pthread_mutex_unlock(&out_lock);
}

void rt_io_flush(void) {
    pthread_mutex_lock(&out_lock);
    end_lines_locked();
    flush_locked();
    pthread_mutex_unlock(&out_lock);
}

int rt_io_output_error(void) {
    pthread_mutex_lock(&out_lock);
    int error = out_error;
    pthread_mutex_unlock(&out_lock);
    return error;
}

void rt_io_write_stderr(const char *text, int64_t bytes) {
    pthread_mutex_lock(&out_lock);
    flush_locked();
    write_all(STDERR_FILENO, text, bytes);
    pthread_mutex_unlock(&out_lock);
}

// ---- input -------------------------------------------------------------------------------------------------------------------------

// More input into the empty buffer: its bytes, 0 at the end, below 0 on an error.
static int64_t fill_locked(void) {
    ssize_t got;
    do
        got = read(STDIN_FILENO, in, IN_BYTES);
    while (got < 0 && errno == EINTR);
    in_start = 0;
    in_end = got > 0 ? got : 0;
    return got;
}

int64_t rt_io_read_line(char **text, int64_t *size) {
    int64_t length = 0, got = 1;
    bool any = false;
    pthread_mutex_lock(&in_lock);
    for (;;) {
        if (in_start == in_end && (got = fill_locked()) <= 0)
            break;
        any = true;
        char *end = memchr(in + in_start, '\n', (size_t)(in_end - in_start));
        int64_t bytes = (end == NULL ? in_end : end - in) - in_start;
        if (length + bytes > *size) {
            int64_t wanted = rt_max(2 * *size, length + bytes);
            *text = rt_realloc(*text, *size, wanted);
            *size = wanted;
        }
        if (bytes != 0)
            memcpy(*text + length, in + in_start, (size_t)bytes);
        length += bytes;
        in_start += bytes + (end != NULL);
        if (end != NULL)
            break;
    }
    pthread_mutex_unlock(&in_lock);
    if (!any)
        return got < 0 ? -2 : -1;
    return length > 0 && (*text)[length - 1] == '\r' ? length - 1 : length;
}

// ---- arguments -----------------------------------------------------------------------------------------------------------------------

void rt_io_set_arguments(int argc, char **argv) {
    argument_count = argc > 0 ? argc - 1 : 0;
    io_arguments = argv + (argc > 0);
}

int rt_io_argument_count(void) {
    return argument_count;
}

const char *rt_io_argument(int index) {
    return io_arguments[index];
}
