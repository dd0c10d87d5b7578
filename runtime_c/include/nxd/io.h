// Standard streams (sys/io.c), random numbers (sys/random.c).
#ifndef NXD_IO_H
#define NXD_IO_H

#include "nxd/base.h"

// Writes a text on standard output, and a line end if `newline`. `writer` stands for the process: its lines come out whole.
void rt_io_print(const void *writer, const char *data, int64_t bytes, bool newline);
// The process ends or asks for input: what it has printed of an unfinished line comes out.
void rt_io_end_line(const void *writer);
void rt_io_flush_idle(void);
void rt_io_flush(void);
int rt_io_output_error(void); // errno of the first write to standard output that failed, else 0
void rt_io_write_stderr(const char *text, int64_t bytes);

// Reads a line without its end into *line, growing it (rt_realloc; *size is its size): its bytes, -1 at the end of input, -2 on an error.
// May block the worker.
int64_t rt_io_read_line(char **line, int64_t *size);

void rt_io_set_arguments(int argc, char **argv);
int rt_io_argument_count(void);
const char *rt_io_argument(int index); // the program's name is not counted

uint64_t rt_random_next(void);
void rt_random_seed(uint64_t seed);
uint64_t rt_random_entropy(void);

#endif
