"""Statements: clauses that say something worth keeping, of a kind that a table of signs tells."""
