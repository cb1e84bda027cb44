"""Errors over Kafka are those of HTTP."""

import pytest

from palimpsest.contracts.problems import problem_of, status_of
from palimpsest.delivery.answering import error_reply
from palimpsest.domain.errors import (
    ConflictingDuplicate,
    EmbeddingModelMismatch,
    InvalidEvent,
    NotFound,
    PalimpsestError,
    TransientError,
    VersionConflict,
)


@pytest.mark.parametrize(
    "error",
    [
        NotFound("nothing stands there"),
        ConflictingDuplicate("known with another body"),
        VersionConflict("another version stands"),
        EmbeddingModelMismatch("made by another model"),
        InvalidEvent("no text"),
        TransientError("MongoDB is away"),
        PalimpsestError("anything else"),
    ],
)
def test_an_error_is_answered_as_over_http(error: PalimpsestError) -> None:
    reply, problem = error_reply(error), problem_of(error)
    assert (reply.status, reply.reason, reply.message) == (
        status_of(error),
        problem.reason,
        problem.message,
    )


def test_what_a_library_raises_is_told_without_its_words() -> None:
    away = error_reply(ConnectionError("what a user said"))
    assert (away.status, away.reason, away.message) == (503, "unavailable", "ConnectionError")
    bug = error_reply(ValueError("what a user said"))
    assert (bug.status, bug.reason, bug.message) == (500, "unexpected", "recall failed")
