"""Who asks, and what they may: keys, tokens, rates."""

from palimpsest_server.runtime.access.access_control import AccessControl

__all__ = ["AccessControl"]
