// OPTION and RESULT objects that C functions give.
//
// Purpose: the prelude functions that answer with SOME, NONE, OK or ERR.
// Threads: any.
#include "nxd/option.h"

#include "nxd/map.h"
#include "nxd/nxd_abi.gen.h"

NXD_OWNED nxd_union *rt_union_new(int64_t type, int64_t variant, NXD_TAKE nxd_word value) {
    nxd_union *made = (nxd_union *)rt_object_new(sizeof(nxd_union) + 8, type);
    made->tag = variant;
    made->payload[0] = value;
    return made;
}

NXD_OWNED nxd_union *rt_option_some(int64_t type, NXD_TAKE nxd_word value) {
    return rt_union_new(type, RT_SOME, value);
}

NXD_OWNED nxd_union *rt_option_none(int64_t type) {
    return rt_unit(type, RT_NONE);
}

NXD_OWNED nxd_union *nxd_map_get_option(nxd_map *map, nxd_word key, int64_t type) {
    nxd_word value;
    return rt_map_look_up(map, key, &value) ? rt_option_some(type, value) : rt_option_none(type);
}
