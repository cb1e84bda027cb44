"""`palimpsest layout`: says who is where, and moves whom it is told to."""

import json
from typing import Any

import pytest
from qdrant_client import AsyncQdrantClient
from typer.testing import CliRunner

from palimpsest.model.scope import Layout, Scope
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.vector_backends import build_vector_layouts
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import LayoutTimes
from services.host.commands import layout
from tests.support.server.stores.points import point

pytestmark = [
    pytest.mark.embedded,
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
]

SIZES = {"ada": 3, "bo": 2, "cy": 1}


class KeptOpen(AsyncQdrantClient):
    """In memory, what is closed is gone."""

    async def close(self, grpc_grace: float | None = None, **kwargs: Any) -> None:
        """The client lives as long as the test."""


@pytest.fixture
async def _three_pooled(
    database: MongoDatabase, mongodb_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {
        "MODE": "server",
        "VECTORS": "qdrant",
        "EMBEDDER": "hashing",
        "MONGODB_URL": mongodb_url,
        "MONGODB_DATABASE": database._database.name,
        "QDRANT_MAXIMUM_COLLECTIONS": "2",
    }
    for name, value in environment.items():
        monkeypatch.setenv(f"PALIMPSEST_{name}", value)
    client, model = KeptOpen(":memory:"), HashingEmbedder().model
    monkeypatch.setattr(layout, "build_qdrant_client", lambda _: client)
    monkeypatch.setattr(layout, "DEFAULT_TIMES", LayoutTimes(grace=0.0))
    layouts = build_vector_layouts(Settings(), database)
    store = QdrantVectorStore(client, model, layouts=layouts)
    north = (1.0, *(0.0,) * (model.dimension - 1))
    for user, size in SIZES.items():
        scope = Scope(user_id=user)
        await store.upsert([point(f"{user} {n}", scope, dense=north) for n in range(size)])


def told(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(layout.app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def places() -> dict[str, str]:
    return {each["name"]: each["layout"] for each in told("show")["namespaces"]}


@pytest.mark.usefixtures("_three_pooled")
def test_the_heaviest_are_promoted_and_single_users_moved_back() -> None:
    heaviest = ["user_ada", "user_bo"]
    plan = told("promote", "--heaviest", "2", "--dry-run")
    assert (plan["moved"], plan["dry_run"]) == (heaviest, True)
    assert places() == {}

    assert told("promote", "--heaviest", "2")["moved"] == heaviest
    assert places() == dict.fromkeys(heaviest, Layout.PER_AGENT)

    assert told("move", "--to", "pooled", "--user", "ada")["moved"] == ["user_ada"]
    assert told("move", "--to", "pooled", "--user", "ada")["moved"] == []
    assert places() == {"user_ada": "pooled", "user_bo": "per_agent"}
    assert told("move", "--to", "pooled", "--everybody")["moved"] == ["user_bo"]


@pytest.mark.usefixtures("_three_pooled")
def test_who_finds_no_place_stays_where_he_was() -> None:
    refused = CliRunner().invoke(layout.app, ["promote", "--heaviest", "3"])
    assert "PALIMPSEST_QDRANT_MAXIMUM_COLLECTIONS" in str(refused.exception)
    assert places() == {"user_ada": "per_agent", "user_bo": "per_agent", "user_cy": "pooled"}


@pytest.fixture
async def _ada_on_her_way(_three_pooled: None, database: MongoDatabase) -> None:
    layouts = build_vector_layouts(Settings(), database)
    await layouts.record("user_ada")
    await layouts.begin_move("user_ada", Layout.PER_AGENT, mover="dead")


@pytest.mark.usefixtures("_ada_on_her_way")
def test_a_move_that_was_ended_on_the_way_is_finished_first() -> None:
    assert told("finish", "--dry-run")["finished"] == ["user_ada"]
    assert told("show")["namespaces"][0]["under_way"] == "to per_agent"
    assert told("move", "--to", "per_agent", "--user", "bo", "--agent", "none")["moved"]
    assert places() == {"user_ada": "per_agent", "user_bo_none": "per_agent"}


@pytest.mark.usefixtures("_three_pooled")
@pytest.mark.parametrize("whom", [[], ["--user", "ada", "--everybody"]])
def test_nobody_is_moved_by_an_oversight(whom: list[str]) -> None:
    assert CliRunner().invoke(layout.app, ["move", "--to", "pooled", *whom]).exit_code == 2
