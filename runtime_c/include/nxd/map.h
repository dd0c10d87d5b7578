// Maps inside the runtime (data/map.c).
#ifndef NXD_MAP_H
#define NXD_MAP_H

#include "nxd/object.h"

uint64_t rt_hash(nxd_word value, int64_t type); // data/equal.c
// nxd_equal without locks, for values that nothing else changes.
bool rt_equal_private(nxd_word a, nxd_word b, int64_t type);
// The value of a key, owned; false when it is not there.
bool rt_map_look_up(nxd_map *map, nxd_word key, NXD_OWNED nxd_word *value);

#endif
