"""The formatter: the canonical layout of a program, with its comments, and never another meaning."""
