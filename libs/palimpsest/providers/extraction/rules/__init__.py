"""Rules that understand a window. Loading them takes a second: only their own process does."""

NAME = "local"
"""Of the provider, in answers and settings."""
