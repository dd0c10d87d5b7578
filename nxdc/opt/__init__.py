"""Passes over MIR. `entry.optimize` is the door and the list of passes; `cfg`, `solver` and `liveness` are what they
stand on.
"""
