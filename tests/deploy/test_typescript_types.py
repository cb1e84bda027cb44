"""The types of the TypeScript client are those of the API as it is, told without Node."""

from copy import deepcopy

from palimpsest_lab.typescript_types import (
    COMMAND,
    build_description,
    digest_types,
    find_called_routes,
    read_written_digest,
)


def test_the_types_of_the_client_are_made_from_the_api_as_it_is() -> None:
    digest = digest_types(build_description(), find_called_routes())
    assert read_written_digest() == digest, f"the API has changed: run `{COMMAND}`"


def test_the_digest_follows_what_types_are_made_of_alone() -> None:
    document, routes = build_description(), {"/v1/recall"}
    before = digest_types(document, routes)

    reworded = deepcopy(document)
    request = reworded["components"]["schemas"]["RecallRequest"]
    request["description"] = "Other words."
    request["properties"]["limit"]["title"] = "Other words"
    del reworded["paths"]["/v1/todos"]
    assert digest_types(reworded, routes) == before

    request["properties"]["title"] = {"type": "string"}
    assert digest_types(reworded, routes) != before
