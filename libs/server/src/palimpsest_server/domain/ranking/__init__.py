"""Decide which search hits are worth returning, and in which order. Pure."""
