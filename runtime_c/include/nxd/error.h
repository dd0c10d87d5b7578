// Errors inside the runtime (core/error.c). What generated code calls is in abi.h.
#ifndef NXD_ERROR_H
#define NXD_ERROR_H

#include "nxd/base.h"
#include "nxd/nxd_abi.gen.h"

// An error with a detail written like printf; at most 500 bytes of it.
NXD_OWNED nxd_error *rt_error_format(int64_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same with the value shown as inside other values, at most a line: "key not found: \"x\"".
NXD_OWNED nxd_error *rt_error_value(int64_t code, const char *before, nxd_word value, int64_t type);

#endif
