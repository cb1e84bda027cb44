"""A span for each change set, in the trace of what caused it."""

from collections.abc import Sequence

from palimpsest.model.change_set import ChangeSet
from palimpsest_server.delivery.tracing import SpanAttributes, Tracing


def trace_change_sets(tracing: Tracing, change_sets: Sequence[ChangeSet], began: int) -> None:
    """Write spans of change sets that were applied, projected and announced since `began` (nanoseconds)."""
    for change_set in change_sets:
        attributes: SpanAttributes = {
            "palimpsest.cause": change_set.cause.type,
            "palimpsest.changes": len(change_set.changes),
        }
        tracing.record(
            "consolidator change set", change_set.cause.trace, began=began, attributes=attributes
        )
