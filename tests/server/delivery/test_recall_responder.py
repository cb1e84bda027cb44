"""Errors over Kafka are those of HTTP."""

import pytest

from palimpsest.api.problems import build_problem, get_http_status
from palimpsest.model.errors import (
    ConflictingDuplicate,
    EmbeddingModelMismatch,
    InvalidEvent,
    PalimpsestError,
    RecordNotFound,
    TransientError,
    VersionConflict,
)
from palimpsest_server.delivery.recall_responder import build_error_reply


@pytest.mark.parametrize(
    "error",
    [
        RecordNotFound("nothing stands there"),
        ConflictingDuplicate("known with another body"),
        VersionConflict("another version stands"),
        EmbeddingModelMismatch("made by another model"),
        InvalidEvent("no text"),
        TransientError("MongoDB is away"),
        PalimpsestError("anything else"),
    ],
)
def test_an_error_is_answered_as_over_http(error: PalimpsestError) -> None:
    reply, problem = build_error_reply(error), build_problem(error)
    assert (reply.status, reply.reason, reply.message) == (
        get_http_status(error),
        problem.reason,
        problem.message,
    )


def test_what_a_library_raises_is_told_without_its_words() -> None:
    away = build_error_reply(ConnectionError("what a user said"))
    assert (away.status, away.reason, away.message) == (503, "unavailable", "ConnectionError")
    bug = build_error_reply(ValueError("what a user said"))
    assert (bug.status, bug.reason, bug.message) == (500, "unexpected", "recall failed")
