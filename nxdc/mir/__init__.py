"""MIR, the control-flow graph between the typed core and LLVM: `ops` and `types` say what it is, `builder`,
`printer` and `verify` help with it, `lower` makes it out of the core, `fallible` and `callgraph` complete what needs
the whole program.
"""
