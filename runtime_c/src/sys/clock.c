// The clock.
//
// Purpose: the time of day in milliseconds. Timers use the scheduler's own monotonic clock.
// Threads: any.
#include "nxd/io.h"

#include <time.h>

int64_t rt_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
