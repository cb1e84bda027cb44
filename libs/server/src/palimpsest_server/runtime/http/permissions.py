"""The permission that every route declares.

The service key opens everything or nothing. Whatever will ask for less reads
the declaration from the route that matched
(`request.scope["route"].openapi_extra`); OpenAPI shows it too.
"""

from enum import StrEnum
from typing import Any

DECLARATION = "x-permission"


class Permission(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


def declare_permission(permission: Permission) -> dict[str, Any]:
    """Declare a permission in a route's `openapi_extra`."""
    return {DECLARATION: str(permission)}
