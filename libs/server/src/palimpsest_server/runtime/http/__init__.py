"""HTTP for every service: one application from their routers, with limits and error bodies."""

from palimpsest_server.runtime.http.application import build_http_application
from palimpsest_server.runtime.http.permissions import Permission, declare_permission

__all__ = ["Permission", "build_http_application", "declare_permission"]
