"""Errors as callers see them: a status, a reason and fields, but never what was sent."""

from collections.abc import Mapping, Sequence
from typing import Any

from palimpsest.api.resources import FieldProblem, Problem
from palimpsest.model.errors import (
    CommandRefused,
    ConflictingDuplicate,
    EmbeddingModelMismatch,
    ErasedSince,
    PalimpsestError,
    PermanentError,
    PermissionMissing,
    PreconditionFailed,
    RateExceeded,
    RecordNotFound,
    TransientError,
    Unauthenticated,
    VersionConflict,
)

INVALID_REASON = "invalid"
TOO_LARGE_REASON = "too_large"
UNAVAILABLE_REASON = "unavailable"

_STATUSES: tuple[tuple[type[PalimpsestError], int], ...] = (
    (Unauthenticated, 401),
    (PermissionMissing, 403),
    (RecordNotFound, 404),
    (RateExceeded, 429),
    (ConflictingDuplicate, 409),
    (ErasedSince, 409),
    (CommandRefused, 409),
    (VersionConflict, 409),
    (PreconditionFailed, 412),
    (EmbeddingModelMismatch, 500),
    (PermanentError, 422),
    (TransientError, 503),
)

_MAXIMUM_NAME_CHARACTERS = 64
# Clients choose the names of unknown fields; this much is enough to find one.

_MAXIMUM_FIELDS = 20


def get_http_status(error: PalimpsestError) -> int:
    """Return the HTTP status of an error; replies over Kafka state the same one."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def build_problem(error: PalimpsestError) -> Problem:
    """Build a problem: the error in words for people, and a reason for programs."""
    named = error.reason if isinstance(error, PermanentError | RateExceeded) else None
    reason = named or UNAVAILABLE_REASON
    in_the_way = error.change_set_id if isinstance(error, CommandRefused) else None
    return Problem(reason=reason, message=str(error), change_set_id=in_the_way)


def build_body_too_large_problem(maximum_bytes: int) -> Problem:
    """Build the problem of a body above the limit; a client raises it before it sends."""
    return Problem(
        reason=TOO_LARGE_REASON, message=f"the body is larger than {maximum_bytes} bytes"
    )


def build_validation_problem(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Build the problem of a validation error from pydantic's `errors()`, without the input."""
    fields = list_invalid_fields(errors)
    words = "; ".join(f"{field.field}: {field.problem}" for field in fields)
    return Problem(reason=INVALID_REASON, message=words or "not valid", fields=fields)


def list_invalid_fields(errors: Sequence[Mapping[str, Any]]) -> tuple[FieldProblem, ...]:
    """List the fields that pydantic found invalid, at most 20."""
    return tuple(
        FieldProblem(field=_path(error), problem=_words(error))
        for error in errors[:_MAXIMUM_FIELDS]
    )


def _path(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return "body"
    return ".".join(_name(part) for part in error["loc"]) or "body"


def _name(part: str | int) -> str:
    printable = "".join(character for character in str(part) if character.isprintable())
    return printable[:_MAXIMUM_NAME_CHARACTERS]


def _words(error: Mapping[str, Any]) -> str:
    context = error.get("ctx") or {}
    match error["type"]:
        case "union_tag_invalid":
            return f"must be one of {context['expected_tags']}"
        case "json_invalid":
            return f"not valid JSON: {context['error']}"
        case "extra_forbidden":
            return "unknown field"
        case "missing":
            return "required"
        case "string_unicode":
            return "must be valid Unicode"
        case _:
            return str(error["msg"]).removeprefix("Value error, ")
