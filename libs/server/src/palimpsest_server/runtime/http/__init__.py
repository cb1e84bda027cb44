"""HTTP for every service: one application from their routers, with limits and error bodies."""

from palimpsest.model.permissions import Permission
from palimpsest_server.runtime.http.application import build_http_application
from palimpsest_server.runtime.http.permissions import (
    declare_open,
    declare_permission,
    get_request_grant,
)

__all__ = [
    "Permission",
    "build_http_application",
    "declare_open",
    "declare_permission",
    "get_request_grant",
]
