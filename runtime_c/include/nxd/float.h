// Powers of ten for shortest floats (data/pow10.gen.c).
#ifndef NXD_FLOAT_H
#define NXD_FLOAT_H

#include <stdint.h>

enum { RT_FIRST_POWER = -292 };

typedef struct rt_power {
    uint64_t high, low; // 10**k, k from RT_FIRST_POWER to 324, as a 128-bit fraction, rounded up
} rt_power;

extern const rt_power rt_powers[];

#endif
