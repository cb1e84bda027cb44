"""Keys, tokens and rates: who asks, and what they may."""

from palimpsest_server.runtime.access.access_control import AccessControl

__all__ = ["AccessControl"]
