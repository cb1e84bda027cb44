"""Entities: one for each name that memories mention, in any spelling. Pure."""
