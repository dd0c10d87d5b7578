"""The offsets and numbers codegen uses are those of the runtime's header: a C program prints them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nxdc.codegen import layout
from nxdc.codegen.descriptors import KINDS
from nxdc.mir.types import FIRST_FREE_TYPE, FIXED_TYPES, Form

INCLUDE = Path(__file__).resolve().parents[2] / "runtime_c" / "include"
COMPILER = shutil.which("cc") or shutil.which("gcc")

FACTS: dict[str, int] = {
    "sizeof(nxd_object)": layout.HEADER_SIZE,
    "offsetof(nxd_object, count)": layout.COUNT_OFFSET,
    "offsetof(nxd_string, bytes)": layout.STRING_BYTES,
    "offsetof(nxd_string, chars)": layout.STRING_CHARS,
    "offsetof(nxd_string, data)": layout.STRING_DATA,
    "offsetof(nxd_list, length)": layout.LIST_LENGTH,
    "offsetof(nxd_list, capacity)": layout.LIST_CAPACITY,
    "offsetof(nxd_list, data)": layout.LIST_DATA,
    "offsetof(nxd_struct, fields)": layout.STRUCT_FIELDS,
    "offsetof(nxd_union, tag)": layout.UNION_TAG,
    "offsetof(nxd_union, payload)": layout.UNION_PAYLOAD,
    "offsetof(nxd_closure, code)": layout.CLOSURE_CODE,
    "offsetof(nxd_closure, captures)": layout.CLOSURE_CAPTURES,
    "offsetof(nxd_process, stack_limit)": layout.PROCESS_STACK_LIMIT,
    "offsetof(nxd_process, poll)": layout.PROCESS_POLL,
    "offsetof(nxd_process, site)": layout.PROCESS_SITE,
    "NXD_ANY_NONE": layout.ANY_NONE,
    "NXD_ANY_FALSE": layout.ANY_FALSE,
    "NXD_ANY_TRUE": layout.ANY_TRUE,
    "NXD_TYPE_INT": layout.TYPE_INT,
    "NXD_TYPE_FLOAT": layout.TYPE_FLOAT,
    "NXD_TYPE_STRING": layout.TYPE_STRING,
    "NXD_TYPE_FIRST": FIRST_FREE_TYPE,
    "NXD_TYPE_TIMEINFO": len(FIXED_TYPES) - 1,
    "sizeof(nxd_type)": 56,
    "sizeof(nxd_field)": 16,
    "sizeof(nxd_variant)": 32,
    "sizeof(nxd_site)": 24,
    "sizeof(nxd_program)": 40,
    "sizeof(nxd_select_case)": 24,
}


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_layout_is_that_of_the_header(tmp_path: Path) -> None:
    facts = dict(FACTS)
    facts.update({f"NXD_KIND_{name}": number for name, number in KINDS.items()})
    facts.update({f"NXD_FORM_{form.name}": int(form) for form in Form if form <= Form.ANY})
    lines = "".join(f'    printf("%ld\\n", (long)({fact}));\n' for fact in facts)
    source = tmp_path / "facts.c"
    source.write_text(f'#include "nxd/abi.h"\n#include <stdio.h>\nint main(void) {{\n{lines}    return 0;\n}}\n')
    assert COMPILER is not None
    program = tmp_path / "facts"
    subprocess.run([COMPILER, "-I", str(INCLUDE), str(source), "-o", str(program)], check=True)
    printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()
    assert dict(zip(facts, map(int, printed), strict=True)) == facts
