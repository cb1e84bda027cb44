"""OpenTelemetry's names of what is done to memories, for spans of requests.

Queries, contents and ids are left out: the conventions have them by choice alone, and spans here hold none.
"""

from collections.abc import Mapping
from enum import StrEnum


class MemoryOperation(StrEnum):
    """Values of `gen_ai.operation.name`."""

    CREATE = "create_memory"
    DELETE = "delete_memory"
    SEARCH = "search_memory"
    UPDATE = "update_memory"
    UPSERT = "upsert_memory"
    """Something is said, and what becomes of it is not for its author to choose."""


ROUTE_OPERATIONS: Mapping[tuple[str, str], MemoryOperation] = {
    ("POST", "/v1/events"): MemoryOperation.UPSERT,
    ("POST", "/v1/recall"): MemoryOperation.SEARCH,
    ("POST", "/v1/context"): MemoryOperation.SEARCH,
    ("GET", "/v1/memories"): MemoryOperation.SEARCH,
    ("GET", "/v1/memories/{memory_id}"): MemoryOperation.SEARCH,
    ("POST", "/v1/memories"): MemoryOperation.CREATE,
    ("PATCH", "/v1/memories/{memory_id}"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/merge"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/bulk"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/relations"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/pin"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/unpin"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/confirm"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/reject"): MemoryOperation.UPDATE,
    ("POST", "/v1/memories/{memory_id}/restore"): MemoryOperation.UPDATE,
    ("DELETE", "/v1/memories/{memory_id}"): MemoryOperation.DELETE,
    ("POST", "/v1/memories/{memory_id}/forget"): MemoryOperation.DELETE,
    ("POST", "/v1/memories/{memory_id}/purge"): MemoryOperation.DELETE,
    ("POST", "/v1/forget-topic"): MemoryOperation.DELETE,
    ("POST", "/v1/forget-everything"): MemoryOperation.DELETE,
    ("DELETE", "/v1/projects/{project_id}"): MemoryOperation.DELETE,
}
"""Operations by method and route. Other routes do nothing to single memories."""


def describe_operation(operation: MemoryOperation | None) -> Mapping[str, str]:
    """Return the attributes of a span; none if nothing is done to memories."""
    if operation is None:
        return {}
    return {"gen_ai.operation.name": operation, "gen_ai.provider.name": "palimpsest"}
