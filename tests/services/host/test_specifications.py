"""The API describes itself so that it can be used without reading the source."""

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from palimpsest.events.topics import CONVERSATIONS
from palimpsest_server.delivery.memory_operations import ROUTE_OPERATIONS
from palimpsest_server.runtime.settings import Settings
from services.host.specifications import build_openapi_document

ROUTES = [
    ("/v1/recall", "post"),
    ("/v1/context", "post"),
    ("/v1/events", "post"),
    ("/v1/feedback", "post"),
    ("/v1/memories", "get"),
    ("/v1/memories", "post"),
    ("/v1/memories/{memory_id}", "get"),
    ("/v1/memories/{memory_id}", "patch"),
    ("/v1/export", "get"),
    ("/v1/agents", "get"),
]


@cache
def document() -> dict[str, Any]:
    return asyncio.run(build_openapi_document(Settings()))


def referred(part: object) -> Iterator[str]:
    """The names of the models that it refers to, and of those that these refer to."""
    seen: set[str] = set()
    waiting = list(_references(part))
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            yield name
            waiting += _references(document()["components"]["schemas"][name])


def _references(part: object) -> Iterator[str]:
    match part:
        case {"$ref": str(reference)}:
            yield reference.rpartition("/")[2]
        case dict():
            for each in part.values():
                yield from _references(each)
        case list():
            for each in part:
                yield from _references(each)


def descriptions() -> Iterator[tuple[str, str]]:
    """Every field of every model and every parameter of every route, with its description."""
    for model, schema in document()["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            yield f"{model}.{name}", field.get("description", "")
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", ()):
                yield f"{method} {path} {parameter['name']}", parameter.get("description", "")


def test_every_field_and_every_parameter_is_described_in_words_that_name_it() -> None:
    assert [name for name, words in descriptions() if len(words.split()) < 3] == []
    dangling = re.compile(r"(?:What|Whether|Of|Who|Whose|By|How|As|None|Those|That|Where)\b")
    assert [name for name, words in descriptions() if dangling.match(words)] == []


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_the_routes_that_everybody_uses_are_described(path: str, method: str) -> None:
    operation = document()["paths"][path][method]
    assert operation["description"]
    assert set(referred(operation)) <= document()["components"]["schemas"].keys()


def test_every_route_says_what_it_does() -> None:
    silent = [
        path
        for path, methods in document()["paths"].items()
        for operation in methods.values()
        if not operation.get("description") and path.startswith("/v1/")
    ]
    assert silent == []


def test_every_route_that_changes_memories_has_a_name_for_spans() -> None:
    served = {
        (method.upper(), path)
        for path, methods in document()["paths"].items()
        for method in methods
    }
    assert served >= ROUTE_OPERATIONS.keys()
    of_memories = {each for each in served if each[1].startswith(("/v1/memories", "/v1/forget-"))}
    assert ROUTE_OPERATIONS.keys() >= of_memories


def test_events_are_told_apart_by_their_type_alone_or_many_at_once() -> None:
    body = document()["paths"]["/v1/events"]["post"]["requestBody"]["content"]
    one, many = body["application/json"]["schema"]["anyOf"]
    taken = {str(model.model_fields["type"].default) for model in CONVERSATIONS.models}
    assert one["discriminator"]["propertyName"] == "type"
    assert one["discriminator"]["mapping"].keys() == taken
    assert many["properties"]["events"]["items"]["oneOf"] == one["oneOf"]
    message = document()["components"]["schemas"]["MessageAdded"]["properties"]
    assert message.keys().isdisjoint({"received_at", "epoch", "vectors"})
    assert "assistant" in str(message["role"])


def test_a_score_is_said_to_rank_within_one_answer_only() -> None:
    score = document()["components"]["schemas"]["RecallResult"]["properties"]["score"]
    assert "threshold" in score["description"]
    assert "compared" in score["description"]
