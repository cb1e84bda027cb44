"""Statements: clauses worth keeping, with a kind that a table of cues tells."""
