"""Fuzzing: random programs that mean the same in every build, mangled programs that do not break the compiler."""
