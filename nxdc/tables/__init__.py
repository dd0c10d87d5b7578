"""Operators, prelude functions and run-time error codes, as data that every later layer reads."""
