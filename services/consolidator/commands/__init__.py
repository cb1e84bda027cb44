"""The commands that people give."""
