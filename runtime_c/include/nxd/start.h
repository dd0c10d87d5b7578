// The start and the end of a program (sys/start.c).
#ifndef NXD_START_H
#define NXD_START_H

#include <stdint.h>

// Ends the program at once, after what has been printed.
_Noreturn void rt_exit(int64_t status);
// The same for a program whose processes have all ended: in sanitizer builds, what is still allocated then is reported.
_Noreturn void rt_exit_checked(int64_t status);

#endif
