"""Formats of a context, each by its name."""
