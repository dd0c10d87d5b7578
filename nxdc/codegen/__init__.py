"""Code generation: MIR to LLVM IR to object code.

`entry.generate` is the only door. From bottom to top: `layout` (machine types, offsets, alias classes), `writer` (IR
text, one method an instruction), `context` (what one module shares: declarations, constants, descriptors),
`counting` (dup and drop), `inline` (named emitters of the operator and prelude tables), `ops_*` (one emitter for
each MIR op), `funcs` (functions and blocks), `thunks` (entries of processes, code of closures), `program` (start,
teardown, the program object), `target` (passes and machine code).
"""
