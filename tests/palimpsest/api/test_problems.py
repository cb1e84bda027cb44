"""Errors as others see them: by name and place, never with what was sent."""

import json
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from palimpsest.api.http_problems import build_http_problem, find_advice
from palimpsest.api.problems import (
    build_body_too_large_problem,
    build_problem,
    build_validation_problem,
    get_http_status,
)
from palimpsest.api.recall import RecallRequest
from palimpsest.api.resources import EventBatch, FieldProblem, Problem
from palimpsest.model.errors import (
    CommandRefused,
    ConflictingDuplicate,
    EmbeddingModelMismatch,
    EventTooLarge,
    InvalidEvent,
    PalimpsestError,
    RecordNotFound,
    TransientError,
    UnknownEventType,
    UnknownMajorVersion,
    VersionConflict,
)


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["dog"]


ANIMALS: TypeAdapter[list[Cat | Dog]] = TypeAdapter(
    list[Annotated[Cat | Dog, Field(discriminator="kind")]]
)


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (RecordNotFound("gone"), 404, "not_found"),
        (ConflictingDuplicate("twice"), 409, "conflicting_duplicate"),
        (VersionConflict("late"), 409, "version_conflict"),
        (InvalidEvent("bad"), 422, "invalid_event"),
        (UnknownEventType("new"), 422, "unknown_type"),
        (UnknownMajorVersion("newer"), 422, "unknown_major"),
        (EventTooLarge("long"), 422, "too_large"),
        (EmbeddingModelMismatch("other"), 500, "embedding_model_mismatch"),
        (TransientError("away"), 503, "unavailable"),
        (PalimpsestError("else"), 500, "unavailable"),
    ],
)
def test_every_error_has_its_status_and_its_reason(
    error: PalimpsestError, status: int, reason: str
) -> None:
    assert get_http_status(error) == status
    assert build_problem(error).reason == reason
    assert build_problem(error).message == str(error)


def test_every_field_is_named_even_one_called_query() -> None:
    with pytest.raises(ValidationError) as refused:
        RecallRequest.model_validate({"user_id": "a\nb", "limit": 0, "colour": "secret"})
    problem = build_validation_problem(refused.value.errors())
    assert problem.reason == "invalid"
    assert problem.fields == (
        FieldProblem(field="user_id", problem="must not contain control characters"),
        FieldProblem(field="query", problem="required"),
        FieldProblem(field="limit", problem="Input should be greater than or equal to 1"),
        FieldProblem(field="colour", problem="unknown field"),
    )
    assert "secret" not in problem.model_dump_json()


def test_places_in_lists_are_numbered() -> None:
    with pytest.raises(ValidationError) as refused:
        ANIMALS.validate_python([{"kind": "cat"}, {"kind": "dog", "name": "secret"}])
    assert [field.field for field in build_validation_problem(refused.value.errors()).fields] == [
        "1.dog.name"
    ]


def test_a_choice_is_answered_with_what_there_is() -> None:
    with pytest.raises(ValidationError) as refused:
        ANIMALS.validate_python([{"kind": "my secret"}])
    (field,) = build_validation_problem(refused.value.errors()).fields
    assert field.problem == "must be one of 'cat', 'dog'"


def test_long_or_unprintable_names_of_fields_are_cut() -> None:
    with pytest.raises(ValidationError) as refused:
        EventBatch.model_validate({"events": [{}], "\x1b[31m" + "x" * 1000: 1})
    (field,) = build_validation_problem(refused.value.errors()).fields
    assert len(field.field) == 64
    assert field.field.isprintable()


def test_a_thousand_problems_are_answered_with_some() -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(list[int]).validate_python(["x"] * 1000)
    assert len(build_validation_problem(refused.value.errors()).fields) == 20


def test_json_that_breaks_off_is_the_bodys_fault() -> None:
    with pytest.raises(ValidationError) as refused:
        RecallRequest.model_validate_json('{"user_id": "secr')
    (field,) = build_validation_problem(refused.value.errors()).fields
    assert field.field == "body"
    assert field.problem.startswith("not valid JSON")
    assert "secr" not in field.problem


def test_the_words_for_a_large_body_name_the_limit() -> None:
    problem = json.loads(build_body_too_large_problem(4096).model_dump_json())
    assert problem == {
        "reason": "too_large",
        "message": "the body is larger than 4096 bytes",
        "fields": [],
        "change_set_id": None,
        "advice": None,
    }


def test_a_problem_over_http_says_what_to_do_in_the_shape_of_rfc_9457() -> None:
    conflict = CommandRefused("it changed again", reason="changed_since", change_set_id="later")
    body = build_http_problem(409, build_problem(conflict))
    assert (body.type, body.status) == ("urn:palimpsest:problem:changed_since", 409)
    assert (body.title, body.detail) == ("Conflict", "it changed again")
    assert body.change_set_id == "later"
    assert "change_set_id" in (body.advice or "")
    read = Problem.model_validate_json(body.model_dump_json())
    assert (read.reason, read.message, read.advice) == ("changed_since", body.detail, body.advice)


@pytest.mark.parametrize("status", [401, 403, 404, 405, 409, 413, 422, 429, 500, 503])
def test_every_status_has_advice(status: int) -> None:
    assert find_advice("nobody_knows", status)
