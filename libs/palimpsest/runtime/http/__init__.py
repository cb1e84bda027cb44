"""HTTP for every service: one application from their routers, with limits and error bodies."""

from palimpsest.runtime.http.application import http_application
from palimpsest.runtime.http.permissions import Permission, needs

__all__ = ["Permission", "http_application", "needs"]
