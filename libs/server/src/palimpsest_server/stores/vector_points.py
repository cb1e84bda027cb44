"""The embedded text of a memory or a turn, and its point once it has vectors."""

from palimpsest.api.recall import RecordType
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.memory import Memory
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.domain.ranking.extract_features import (
    extract_memory_features,
    extract_summary_features,
    extract_turn_features,
)
from palimpsest_server.stores.vectors import VectorPoint

TURN_VERSION = 1


def memory_text(memory: Memory) -> EmbeddableText:
    return EmbeddableText(dense=memory.embedded_text, sparse=memory.embedded_text)


def memory_point(memory: Memory, vectors: TextVectors) -> VectorPoint:
    return VectorPoint(
        id=memory.id,
        record=RecordType.MEMORY,
        scope=memory.scope,
        version=memory.version,
        dense=vectors.dense_values(),
        sparse=vectors.sparse(),
        status=memory.status,
        kind=memory.kind,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        features=extract_memory_features(memory),
    )


def summary_point(summary: SessionSummary, vectors: TextVectors) -> VectorPoint:
    return VectorPoint(
        id=summary.id,
        record=RecordType.SUMMARY,
        scope=summary.scope,
        version=summary.version,
        dense=vectors.dense_values(),
        sparse=vectors.sparse(),
        # A summary has no place among its session's turns.
        features=extract_summary_features(summary),
    )


def turn_point(turn: Turn, vectors: TextVectors) -> VectorPoint:
    return VectorPoint(
        id=turn.id,
        record=RecordType.TURN,
        scope=turn.scope,
        version=TURN_VERSION,
        dense=vectors.dense_values(),
        sparse=vectors.sparse(),
        session_id=turn.session_id,
        sequence=turn.sequence,
        features=extract_turn_features(turn),
    )
