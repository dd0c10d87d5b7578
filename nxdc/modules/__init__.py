"""Modules: which files and modules make the program, what each may name of the others, and in which order they
start."""
