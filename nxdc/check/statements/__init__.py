"""Statements: blocks, what binds and changes, loops, and what processes do with each other."""
