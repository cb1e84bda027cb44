"""`palimpsest migrate`: says what it would do, does it, and says where the database stands."""

import json
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from palimpsest_server.stores.migrations.steps import NEWEST_VERSION
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.commands.migrate import migrate
from tests.support.server.migrations.golden_documents import restore_golden_documents

pytestmark = pytest.mark.embedded


def asked(*arguments: str) -> Result:
    app = Typer(pretty_exceptions_enable=False)
    app.command()(migrate)
    return CliRunner().invoke(app, arguments)


def told(*arguments: str) -> dict[str, Any]:
    result = asked("--json", *arguments)
    found: dict[str, Any] = json.loads(result.stdout)
    return found | {"exit": result.exit_code}


CHANGED = [0, 2, 5, 7, 1]
"""The documents of the oldest version that each step changes."""


@pytest.fixture
def _reached(database: MongoDatabase, mongodb_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_MODE", "server")
    monkeypatch.setenv("PALIMPSEST_MONGODB_URL", mongodb_url)
    monkeypatch.setenv("PALIMPSEST_MONGODB_DATABASE", database._database.name)


@pytest.fixture
async def _older(database: MongoDatabase, _reached: None) -> None:
    await restore_golden_documents(database, 0)


@pytest.mark.usefixtures("_older")
def test_an_upgrade_from_the_first_look_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    before = told("--status")
    assert (before["version"], before["newest"], before["exit"]) == (0, NEWEST_VERSION, 1)
    assert [each["step"] for each in before["pending"]] == list(range(1, NEWEST_VERSION + 1))

    planned = told("--dry-run")
    assert (planned["found"], planned["version"], planned["exit"]) == (0, 0, 0)
    assert [each["changed"] for each in planned["steps"]] == CHANGED
    assert told("--status") == before

    done = told()
    assert (done["found"], done["version"]) == (0, NEWEST_VERSION)
    assert [each["changed"] for each in done["steps"]] == CHANGED

    after = told("--status")
    assert (after["version"], after["pending"], after["exit"]) == (NEWEST_VERSION, [], 0)
    assert [each["step"] for each in after["applied"]] == list(range(1, NEWEST_VERSION + 1))
    assert (after["migrating"], after["set_aside"]) == (False, 2)

    monkeypatch.setenv("PALIMPSEST_EXTRACTOR_PROVIDER", "local")
    words = " ".join(asked().output.split())
    assert f"at version {NEWEST_VERSION}, the newest" in words
    assert "PALIMPSEST_EXTRACTOR_PROVIDER is called PALIMPSEST_EXTRACTION_MODEL now" in words
    assert "2 documents are set aside" in asked("--status").output


@pytest.mark.usefixtures("_older")
def test_people_see_each_step_and_what_it_changed() -> None:
    words = asked("--dry-run").output
    assert "step 3: 5 of" in words
    assert "documents would be changed (messages and memories without a project" in words


@pytest.mark.usefixtures("_reached")
def test_an_empty_database_needs_none() -> None:
    assert "it will begin at version" in asked("--status").output
    assert told()["steps"] == []
