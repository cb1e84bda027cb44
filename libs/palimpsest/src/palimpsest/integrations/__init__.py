"""Palimpsest behind the interfaces of other frameworks; each module is imported by itself."""
