"""Fuzzing: random programs that must mean the same in every build, and mangled programs that must not break the compiler."""
