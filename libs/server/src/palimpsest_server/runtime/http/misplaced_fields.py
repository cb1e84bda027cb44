"""Fields in the wrong part of a request: reported once, with the part where they belong."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fastapi.routing import APIRoute
from pydantic import BaseModel

ValidationErrors = Sequence[Mapping[str, Any]]


def add_expected_places(
    errors: ValidationErrors, *, asked: Collection[str], given: Collection[str]
) -> ValidationErrors:
    """Add the right place to errors on fields that are unknown in one part and known in another.

    Args:
        errors: pydantic's errors, each located from the part of the request on.
        asked: the fields that the route takes in the query.
        given: the fields that came in the query.
    """
    to_query = {
        location[1]
        for location in _located(errors, "extra_forbidden", "body")
        if location[1] in asked
    }
    to_body = {
        location[1] for location in _located(errors, "missing", "body") if location[1] in given
    }
    misplaced = [
        *(_belongs(name, f"belongs in the query: ?{name}=…") for name in sorted(to_query)),
        *(_belongs(name, "belongs in the body") for name in sorted(to_body)),
    ]
    names = to_query | to_body
    return [*misplaced, *(error for error in errors if not _is_of(error, names))]


def list_query_fields(route: object) -> frozenset[str]:
    """Return the names of a route's query fields, including the fields of a model."""
    if not isinstance(route, APIRoute):
        return frozenset()
    names: set[str] = set()
    for parameter in route.dependant.query_params:
        taken: object = parameter.field_info.annotation
        if isinstance(taken, type) and issubclass(taken, BaseModel):
            names |= {*taken.model_fields}
        else:
            names.add(parameter.alias)
    return frozenset(names)


def _located(errors: ValidationErrors, kind: str, part: str) -> list[Sequence[Any]]:
    return [
        error["loc"]
        for error in errors
        if error["type"] == kind and len(error["loc"]) == 2 and error["loc"][0] == part
    ]


def _belongs(name: str, words: str) -> Mapping[str, Any]:
    return {"type": "misplaced", "loc": ("body", name), "msg": words}


def _is_of(error: Mapping[str, Any], names: Collection[str]) -> bool:
    location = error["loc"]
    return (
        error["type"] in {"missing", "extra_forbidden"}
        and len(location) == 2
        and location[1] in names
    )
