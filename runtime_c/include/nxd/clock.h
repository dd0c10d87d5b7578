// Clocks (sys/clock.c).
//
// Vocabulary: *the machine's time* is what a processor takes and a thread sleeps; *the program's time* is what SLEEP, TIMEOUT and
//   the clock functions of a program see. Both are the monotonic clock, unless NXD_CLOCK=simulated: the program's time then stands
//   still while a process can run, and goes on to the first deadline at once when all of them wait. What a program with deadlines
//   does is then independent of how fast and how loaded the machine is, and its tests take no time.
// Threads: any; rt_clock_start and rt_clock_skip_to as they say.
// Source: "virtual time" of discrete-event simulation; Go's testing/synctest does the same for a group of goroutines.
#ifndef NXD_CLOCK_H
#define NXD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define RT_NEVER INT64_MAX // a deadline that does not come

// Reads NXD_CLOCK. Once, before any process runs. False: it has a value that means nothing.
bool rt_clock_start(void);
bool rt_clock_is_simulated(void);

// Nanoseconds of the machine's time.
int64_t rt_now(void);
// Nanoseconds of the program's time.
int64_t rt_program_now(void);
// `seconds` from `now`, of either time, as a deadline: at least now, less than RT_NEVER.
int64_t rt_deadline_from(int64_t now, double seconds);
int64_t rt_deadline_after(double seconds); // from the program's time
// Simulated time goes on to `deadline`, if that is later; other time does not care. Only while no process can run.
void rt_clock_skip_to(int64_t deadline);

// The program's time of day: milliseconds since 1970-01-01 UTC.
int64_t rt_clock_ms(void);

#endif
