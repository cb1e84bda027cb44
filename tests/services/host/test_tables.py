"""The tables and specifications that people and programs can print."""

import asyncio
import json
import re
from importlib.metadata import version
from io import StringIO
from typing import Any

import pytest
from pydantic.json_schema import models_json_schema
from rich.console import Console
from typer.testing import CliRunner

from palimpsest.api.operation_examples import OPERATION_EXAMPLES
from palimpsest.events.topics import TOPICS
from palimpsest_server.runtime.http import Permission
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.settings_reference import list_documented_settings
from palimpsest_server.stores.collections import COLLECTIONS
from services.host.cli import build_command_line
from services.host.specifications import build_asyncapi_document, build_openapi_document
from services.host.wrapped_tables import build_wrapped_table


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(build_command_line(arguments), arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    """Made once: all who ask for it only read."""
    return asyncio.run(build_openapi_document(Settings()))


def test_help_names_every_command() -> None:
    words = printed("--help")
    for name in ("run", "serve", "demo", "doctor", "dead-letters", "reindex", "import", "bench"):
        assert name in words


def test_topics_are_printed_for_people_and_for_programs() -> None:
    rows = json.loads(printed("topics", "--json"))
    assert [row["name"] for row in rows] == [topic.name for topic in TOPICS]
    assert rows[0]["models"] == [model.__name__ for model in TOPICS[0].models]
    assert rows[0]["retention_hours"] == 72
    people = printed("topics")
    assert all(topic.name in people for topic in TOPICS)


def test_settings_are_printed_whole_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    people = printed("settings")
    words = " ".join(people.split())
    for documented_setting in list_documented_settings():
        assert f"{documented_setting.variable}={documented_setting.default}\n" in people
        assert " ".join(documented_setting.words.split()) in words


def test_what_does_not_fit_a_column_goes_on_in_the_next_line() -> None:
    table = build_wrapped_table("when", "what")
    table.add_row("02 Mar", "选框架之前先看谁来维护选框架之前先看谁来维护")
    console = Console(width=24, file=StringIO(), record=True)
    console.print(table)
    shown = console.export_text()
    assert "…" not in shown
    assert "".join(re.findall(r"[\u4e00-\u9fff]", shown)) == "选框架之前先看谁来维护" * 2


def test_the_version_is_said() -> None:
    assert printed("--version") == f"palimpsest {version('palimpsest-server')}\n"


def test_collections_are_printed_with_their_owners() -> None:
    rows = json.loads(printed("collections", "--json"))
    assert {row["name"]: row["owner"] for row in rows} == {
        collection.name: collection.owner.value for collection in COLLECTIONS
    }


def test_asyncapi_has_every_topic_in_order_and_every_model_on_it() -> None:
    document = asyncio.run(build_asyncapi_document(Settings()))
    assert document["asyncapi"].startswith("3.")
    assert list(document["channels"]) == [topic.name for topic in TOPICS]
    schemas = document["components"]["schemas"]
    for topic in TOPICS:
        for model in topic.models:
            assert model.__name__ in schemas
    assert "user_id" in document["channels"]["writes"]["description"]


def test_asyncapi_is_printed_the_same_each_time() -> None:
    # The order in which FastStream goes over publishers changes with where they lie in memory.
    kept, printouts = [], set()
    for size in range(1, 20, 6):
        kept.append([object() for _ in range(size * 37)])
        printouts.add(json.dumps(asyncio.run(build_asyncapi_document(Settings()))))
    assert len(printouts) == 1


def test_no_two_models_of_the_events_share_a_name() -> None:
    # One of them would stand in the other's place wherever schemas are named by their models.
    models = {model for topic in TOPICS for model in topic.models}
    _, together = models_json_schema([(model, "serialization") for model in models])
    assert [name for name in together["$defs"] if "__" in name] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "/v1/events"),
        ("post", "/v1/recall"),
        ("get", "/v1/memories"),
        ("post", "/v1/memories/{memory_id}/forget"),
        ("get", "/readyz"),
        ("get", "/metrics"),
    ],
)
def test_openapi_has_the_routes_of_all_services(
    openapi: dict[str, Any], method: str, path: str
) -> None:
    assert method in openapi["paths"][path]


def test_every_route_under_v1_says_which_permission_it_needs(openapi: dict[str, Any]) -> None:
    declared = {
        f"{method} {path}": operation.get("x-permission")
        for path, operations in openapi["paths"].items()
        if path.startswith("/v1/")
        for method, operation in operations.items()
    }
    assert len(declared) > 30
    unknown = {each for each in declared if declared[each] not in {*Permission}}
    assert unknown == {"post /v1/tokens"}
    assert declared["post /v1/forget-everything"] == "erase"
    assert declared["post /v1/maintenance"] == "admin"
    assert declared["get /v1/quota"] == "read"


def test_every_example_belongs_to_an_operation_and_its_parameters(openapi: dict[str, Any]) -> None:
    for named, example in OPERATION_EXAMPLES.items():
        method, _, path = named.partition(" ")
        operation = openapi["paths"][path][method.lower()]
        parameters = {parameter["name"] for parameter in operation.get("parameters", ())}
        assert parameters >= example.parameters.keys(), named
        assert example.body is None or "requestBody" in operation, named
