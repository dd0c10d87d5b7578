// Words together with the type they have at run time (data/value.c).
#ifndef NXD_VALUE_H
#define NXD_VALUE_H

#include "nxd/object.h"

typedef struct rt_value {
    const nxd_type *type; // never ANY or NULLABLE: what is held
    nxd_word word;        // of that type's form; enum members are ordinals
} rt_value;

// What a word of a static type holds; borrowed.
rt_value rt_value_of(nxd_word word, const nxd_type *type);
// The number of a value's descriptor.
int64_t rt_value_type(rt_value value);
// The name of its type as users write it.
const char *rt_value_type_name(rt_value value);

#endif
