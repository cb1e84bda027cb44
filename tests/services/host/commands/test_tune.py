"""`palimpsest tune`: what was used is read wherever the services can read it."""

import asyncio
import json
from base64 import b64encode

import pytest
from typer import Typer
from typer.testing import CliRunner

from palimpsest.events.feedback import RecallUsed
from palimpsest_server.domain.ranking.weight_fitting import SCORE_FEATURES
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.memories import RecordedRecall
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memory_accesses import MongoAccesses
from services.host.commands.tune import tune
from tests.support.turns import MORNING

pytestmark = pytest.mark.embedded

MASTER = bytes([1] * 32)


@pytest.fixture
async def _sealed(
    database: MongoDatabase, mongodb_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = database._database.name
    monkeypatch.setenv("PALIMPSEST_MODE", "server")
    monkeypatch.setenv("PALIMPSEST_MONGODB_URL", mongodb_url)
    monkeypatch.setenv("PALIMPSEST_MONGODB_DATABASE", name)
    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_KEY", b64encode(MASTER).decode())
    sealed = MongoDatabase(mongodb_url, name, masters=MasterKeys(MASTER))
    signs = [("tea", (0.5,) * len(SCORE_FEATURES)), ("coffee", (0.1,) * len(SCORE_FEATURES))]
    recalled = RecordedRecall(
        user_id="lin", recall_id="r", memory_ids=("tea", "coffee"), at=MORNING, returned=signs
    )
    used = RecallUsed(
        event_id="used", user_id="lin", occurred_at=MORNING, recall_id="r", result_ids=("coffee",)
    )
    await MongoAccesses(sealed).count([recalled])
    await MongoAcceptedRequests(sealed).accept([used], now=MORNING)
    sealed.close()


@pytest.mark.usefixtures("_sealed")
async def test_what_is_encrypted_is_read_with_its_key() -> None:
    app = Typer(pretty_exceptions_enable=False)
    app.command()(tune)
    asked = await asyncio.to_thread(CliRunner().invoke, app, ["--from-feedback", "--json"])
    assert asked.exit_code == 0, asked.exception
    assert json.loads(asked.stdout)["recalls"] == 1
