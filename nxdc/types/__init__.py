"""The type language: what types are (`model`), how they are inferred (`unify`), read (`signature`) and shown (`show`).

`prelude` turns the rows of `nxdc/tables/prelude` into signatures. Nothing here knows syntax trees or diagnostics.
"""
