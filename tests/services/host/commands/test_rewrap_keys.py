"""`palimpsest rewrap-keys`: a dry run says what it would do, and its exit code whether all is well."""

import json
from base64 import b64encode
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from palimpsest_server.domain.encrypted_fields import ContentOwner
from palimpsest_server.stores.collections import KEYS
from palimpsest_server.stores.encryption.keyring import Keyring
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.commands.rewrap_keys import rewrap_keys

pytestmark = pytest.mark.embedded

OLD, NEW = bytes([1] * 32), bytes([2] * 32)


def asked(*arguments: str) -> Result:
    app = Typer(pretty_exceptions_enable=False)
    app.command()(rewrap_keys)
    return CliRunner().invoke(app, arguments)


def told(*arguments: str) -> dict[str, Any]:
    result = asked("--json", *arguments)
    found: dict[str, Any] = json.loads(result.stdout)
    return found | {"exit": result.exit_code}


def masters(monkeypatch: pytest.MonkeyPatch, current: bytes, *older: bytes) -> None:
    def text(key: bytes) -> str:
        return b64encode(key).decode()

    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_KEY", text(current))
    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_OLDER_KEYS", ", ".join(map(text, older)))


@pytest.fixture
async def _three_keys(
    database: MongoDatabase, mongodb_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_MODE", "server")
    monkeypatch.setenv("PALIMPSEST_MONGODB_URL", mongodb_url)
    monkeypatch.setenv("PALIMPSEST_MONGODB_DATABASE", database._database.name)
    ring = Keyring(database._database[KEYS.name], MasterKeys(OLD))
    await ring.of([ContentOwner(name, 0) for name in ("ann", "bob", "cai")])


@pytest.mark.usefixtures("_three_keys")
def test_a_rotation_from_plan_to_the_day_the_old_key_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    masters(monkeypatch, NEW, OLD)
    nothing = {"gone": 0, "unreadable": {}, "exit": 0}
    planned = told("--dry-run")
    assert planned == {"current": 0, "rewrapped": 3} | nothing
    assert told() == planned
    assert told() == {"current": 3, "rewrapped": 0} | nothing
    masters(monkeypatch, NEW)
    assert told() == {"current": 3, "rewrapped": 0} | nothing
    assert "No key needs PALIMPSEST_ENCRYPTION_OLDER_KEYS" in asked().output


@pytest.mark.usefixtures("_three_keys")
def test_an_old_key_that_was_thrown_away_too_early_is_told_by_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    masters(monkeypatch, NEW)
    lost = MasterKeys(OLD).current
    assert told() == {
        "current": 0,
        "rewrapped": 0,
        "gone": 0,
        "exit": 1,
        "unreadable": {lost: 3},
    }
    words = asked().output.replace("\n", " ")
    assert f"3 stay as they are, for no master key here opens them: 3 by {lost}" in words


def test_without_a_key_there_is_nothing_to_rewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALIMPSEST_ENCRYPTION_KEY", raising=False)
    assert "Nothing is encrypted here" in str(asked().exception)
