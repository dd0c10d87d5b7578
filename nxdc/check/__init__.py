"""Names, types, overloads, templates: from syntax trees to the typed core (`nxdc/core/tree.py`).

How it works
- `declarations` makes symbols of what modules declare and reads written types. Traits (`declarations.traits`) are
  nominal.
- Functions are checked on demand: a call of a function without a written result type checks that function first; a
  template or generic function is checked once for each combination of argument types (`instances`).
- Inside a function (`function`), types are inferred by unification. Where the text needs a type that only a later line
  decides (`BEST.LOAD` before `BEST SET W`), the function is *blocked*: its first check is thrown away, what it found
  out about its variables is kept as hints, and it is checked once more (`function.check_body`).
  Where only a guess could be made (`X ADD 1`: a number, or a string) it waits likewise, and guesses when nothing more
  is found out.
- `statements`, `expressions` and `patterns` register a handler for each kind of syntax node. A trait object
  (`expressions.boxes`) is a struct of closures. A call with an `any` argument whose overloads differ there tests the
  type at run time (`expressions.dispatch`).
- `flow` follows the paths: facts that conditions prove, moves and borrows, code that cannot run.
- `finalize` replaces solved variables in the finished core and decides the conversions that waited for them.
"""
