// Letter case beyond ASCII (data/unicode.gen.c).
#ifndef NXD_UNICODE_H
#define NXD_UNICODE_H

#include <stdint.h>

typedef struct rt_case_run { // code points first, first + step ... last, each `distance` from its other case
    uint32_t first, last, step;
    int32_t distance;
} rt_case_run;

extern const rt_case_run rt_upper_runs[], rt_lower_runs[], rt_letter_runs[];
extern const int64_t rt_upper_run_count, rt_lower_run_count, rt_letter_run_count;

uint32_t rt_unicode_upper(uint32_t code); // data/text.c
uint32_t rt_unicode_lower(uint32_t code);

#endif
