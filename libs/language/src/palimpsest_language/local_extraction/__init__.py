"""Rules that extract from a window. Loading them takes a second, so only their own process does."""

LOCAL_PROVIDER_NAME = "local"
"""The name of the local provider, in answers and settings."""
