"""Keys, tokens and rates: who a caller is, and what the caller may do."""

from palimpsest_server.runtime.access.access_control import AccessControl

__all__ = ["AccessControl"]
