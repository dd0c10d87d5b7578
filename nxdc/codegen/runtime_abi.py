"""Declarations of the runtime's C functions: what LLVM may assume of each.

Types follow from the call (opaque pointers, every integer 64 bits wide), so only attributes are listed. All are
`nounwind`: there are no exceptions, an error is a result. A function not named here may do anything to memory.

`nxd_poll`, `nxd_stack_check` let other processes run. Those cannot change what this process reads inline - objects
that may be shared are read by calls - so for the optimiser they touch no memory of the program. Without that, a loop
that polls could keep no length or data pointer in a register.
"""

from __future__ import annotations

_FRESH = "noalias nonnull"  # result: a new object nobody else points at
_PTR = "nonnull"

# symbol -> (attributes of the result, attributes of the function)
_KNOWN: dict[str, tuple[str, str]] = {}


def _know(names: str, result: str = "", function: str = "") -> None:
    for name in names.split():
        _KNOWN[name] = (result, function)


_COLD_OWN = "cold memory(inaccessiblemem: readwrite)"
_READ = "memory(read) willreturn"

_know("nxd_new", _FRESH, "memory(inaccessiblemem: readwrite) willreturn")
_know("nxd_list_new nxd_map_new", _FRESH, "memory(inaccessiblemem: readwrite) willreturn")
_know("nxd_error_overflow nxd_error_division nxd_error_index nxd_error_none", _FRESH, _COLD_OWN)
_know("nxd_error_new nxd_error_no_case", _FRESH, "cold")
_know("nxd_error_trace", "", "cold")
_know("nxd_error_code", "", _READ)
_know("nxd_error_message", _PTR, "")
_know("nxd_dup", "", "cold")
_know("nxd_any_type nxd_any_is nxd_any_is_alike nxd_map_has", "", _READ)
# find_string keeps the hash in the key, which no generated code reads.
_know("nxd_map_find_int nxd_map_find nxd_map_find_string", "", _READ)
_know("nxd_any_box nxd_format nxd_append nxd_append_string nxd_append_int nxd_map_keys", "", "")
_know("nxd_poll nxd_stack_check", "", _COLD_OWN)
_know("nxd_list_grow", "", "cold")


def declaration(symbol: str, result: str, parameters: str) -> str:
    """The `declare` line of a C function."""
    of_result, of_function = _KNOWN.get(symbol, ("", ""))
    if of_result and result != "ptr":
        of_result = ""
    head = f"{of_result} {result}" if of_result else result
    tail = f" nounwind {of_function}" if of_function else " nounwind"
    return f"declare {head} @{symbol}({parameters}){tail}"
