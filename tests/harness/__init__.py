"""The test harness: `*.test` data files become pytest items.

parse.py      the file format: cases, sections, `//~` annotations, and rewriting sections (`--update`)
match.py      comparing texts with `...` wildcards, normalising what differs between machines
compiler.py   the one place that calls the compiler, in this process
execute.py    running binaries in all modes
runner.py     what a case asks for, checked in order
plugin.py     pytest glue: collection, options, failure reports
"""
