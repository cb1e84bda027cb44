"""The API describes itself by what stands in the source, and serves without the source as well."""

import sys
from typing import Annotated, Any

import pytest
from fastapi import APIRouter, Query

from palimpsest.api.field_descriptions import FIELD_DESCRIPTIONS
from palimpsest.model.value_types import Value
from palimpsest_server.runtime import attribute_docstrings as reading
from palimpsest_server.runtime.attribute_docstrings import read_attribute_docstrings
from palimpsest_server.runtime.http.openapi_descriptions import DescribedApplication


class Tea(Value):
    """What is poured."""

    leaves: str
    """Of which plant,
    and from where."""
    user_id: str
    importance: float = 0.5
    """For whoever drinks it."""


class GreenTea(Tea):
    degrees: int = 80
    """Of the water."""
    leaves: str
    """Green ones."""


class Asked(Value):
    leaves: str
    """Only of these."""
    limit: int = 5


def documented() -> dict[str, Any]:
    router = APIRouter()

    @router.post("/tea")
    async def pour(tea: GreenTea) -> None: ...

    @router.get("/teas")
    async def page(query: Annotated[Asked, Query()]) -> None: ...

    @router.post(
        "/pot",
        openapi_extra={
            "requestBody": {
                "content": {
                    "application/json": {
                        "schema": {
                            "$ref": "#/components/schemas/Pot",
                            "$defs": {"Pot": {"type": "object", "properties": {"user_id": {}}}},
                        }
                    }
                }
            }
        },
    )
    async def brew() -> None: ...

    application = DescribedApplication()
    application.include([router], lambda: None)
    assert application.openapi() is application.openapi()
    return application.openapi()


def words(document: dict[str, Any], model: str) -> dict[str, str | None]:
    properties = document["components"]["schemas"][model]["properties"]
    return {name: field.get("description") for name, field in properties.items()}


def test_what_stands_under_a_field_is_said_on_one_line_and_of_bases_too() -> None:
    assert read_attribute_docstrings(Tea) == {
        "leaves": "Of which plant, and from where.",
        "importance": "For whoever drinks it.",
    }
    assert read_attribute_docstrings(GreenTea) == {
        "leaves": "Green ones.",
        "importance": "For whoever drinks it.",
        "degrees": "Of the water.",
    }


def test_a_model_says_its_own_words_and_else_the_usual_ones() -> None:
    found = words(documented(), "GreenTea")
    assert found["leaves"] == "Green ones."
    assert found["importance"] == "For whoever drinks it."
    assert found["user_id"] == FIELD_DESCRIPTIONS["user_id"]


def test_parameters_are_described_as_the_fields_that_they_are() -> None:
    parameters = documented()["paths"]["/teas"]["get"]["parameters"]
    assert {parameter["name"]: parameter["description"] for parameter in parameters} == {
        "leaves": "Only of these.",
        "limit": FIELD_DESCRIPTIONS["limit"],
    }


def test_what_a_route_brings_along_stands_where_references_look() -> None:
    document = documented()
    content = document["paths"]["/pot"]["post"]["requestBody"]["content"]
    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/Pot"}
    assert words(document, "Pot")["user_id"] == FIELD_DESCRIPTIONS["user_id"]


def test_without_the_source_the_usual_words_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: object) -> str:
        raise OSError("could not get source code")

    monkeypatch.setattr("inspect.getsource", gone)
    reading._in_module.cache_clear()
    try:
        found = words(documented(), "GreenTea")
    finally:
        reading._in_module.cache_clear()
    assert found["leaves"] is None
    assert found["user_id"] == FIELD_DESCRIPTIONS["user_id"]
    assert read_attribute_docstrings(type("Made", (), {"__module__": "nowhere"})) == {}
    assert "nowhere" not in sys.modules
