"""Decisions by kind of event. No I/O, and nothing is written down yet."""
