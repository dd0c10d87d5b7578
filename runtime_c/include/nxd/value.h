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
// The element of a list that an any holds, boxed; *more is 0 beyond the end.
NXD_OWNED nxd_any rt_any_element(nxd_list *list, int64_t index, int64_t *more);
// The name of its type as users write it.
const char *rt_value_type_name(rt_value value);

#endif
