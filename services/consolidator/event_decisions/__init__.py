"""Decisions by type of event. No I/O; nothing is stored yet."""
