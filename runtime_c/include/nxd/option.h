// OPTION and RESULT objects (data/option.c).
#ifndef NXD_OPTION_H
#define NXD_OPTION_H

#include "nxd/object.h"

enum { RT_SOME = 0, RT_NONE = 1, RT_OK = 0, RT_ERR = 1 };

NXD_OWNED nxd_union *rt_option_some(int64_t type, NXD_TAKE nxd_word value);
NXD_OWNED nxd_union *rt_option_none(int64_t type);
NXD_OWNED nxd_union *rt_union_new(int64_t type, int64_t variant, NXD_TAKE nxd_word value); // one payload word

#endif
