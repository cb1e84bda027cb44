"""Splits messages into clauses that each say one thing."""
