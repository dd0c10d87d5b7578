// The start and the end of a program (sys/start.c).
#ifndef NXD_START_H
#define NXD_START_H

#include <stdint.h>

// Ends the program at once, after what has been printed.
_Noreturn void rt_exit(int64_t status);

#endif
