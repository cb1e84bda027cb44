"""Rules that understand a window. Loading them takes a second: only their own process does."""

LOCAL_PROVIDER_NAME = "local"
"""Of the provider, in answers and settings."""
