"""Expressions: names, literals, operators, calls and their overloads, lambdas, constructors, trait objects."""
