"""Entities: one for each name that memories mention, however it is written. Pure."""
