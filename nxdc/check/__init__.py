"""Names, types, overloads, templates: from syntax trees to the typed core (`core.py`).

How it works
- `declare` makes symbols of what modules declare; `typeexprs` reads written types.
- Functions are checked on demand: a call of a function without a written result type checks that function first; a
  template or generic function is checked once for each combination of argument types (`instances`).
- Inside a function, types are inferred by unification. Where the text needs a type that only a later line decides
  (`BEST.LOAD` before `BEST SET W`), the function is *blocked*: its first check is thrown away, what it found out
  about its variables is kept as hints, and it is checked once more (`function.check_body`).
- Traits (`traits`) are nominal; a trait object (`boxes`) is a struct of closures. A call with an `any` argument whose
  overloads differ there tests the type at run time (`dispatch`).
- `finalize` replaces solved variables in the finished core and decides the conversions that waited for them.
"""
