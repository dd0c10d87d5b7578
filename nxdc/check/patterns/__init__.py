"""MATCH and MATCHES: the patterns, and the pattern matrix that finds missing and unreachable cases."""
