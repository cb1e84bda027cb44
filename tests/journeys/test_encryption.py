"""With a master key nothing that is said is kept in the clear, and a destroyed key ends it everywhere."""

from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded, SessionStarted
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest_server.stores.collections import KEYS
from palimpsest_server.stores.encryption.key_rotation import rewrap_user_keys
from palimpsest_server.stores.encryption.master_keys import MasterKeys, parse_master_key
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from tests.support.journeys.erasing import points_in, until_obeyed
from tests.support.journeys.republishing import Topics
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed, until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

USER = "canary-keeper"
CANARY = "Zwitscherfink"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MASTER = b64encode(bytes(range(32))).decode()
ROTATED = b64encode(bytes(range(1, 33))).decode()
YELLOW, GREEN = f"The {CANARY} is yellow", f"The {CANARY} is green"


async def planted(client: PalimpsestClient, http: httpx.AsyncClient) -> None:
    """In messages, with a speaker, memories, an edit, a topic, free data and what is understood."""
    said = [f"I like the {CANARY}.", f"I need to feed the {CANARY} tomorrow."]
    await client.publish(
        [
            SessionStarted(occurred_at=NOON, user_id=USER, session_id="s", topic=CANARY),
            *(
                MessageAdded(
                    occurred_at=NOON,
                    user_id=USER,
                    session_id="s",
                    message_id=f"m{number}",
                    role=Role.USER,
                    speaker=f"the {CANARY} keeper",
                    text=text,
                )
                for number, text in enumerate(said)
            ),
            SessionEnded(occurred_at=NOON, user_id=USER, session_id="s"),
        ]
    )
    await client.remember(
        YELLOW,
        user_id=USER,
        subject=CANARY,
        attribute="colour",
        value=f"{CANARY} yellow",
        tags=(CANARY,),
        entities=(CANARY,),
        data={CANARY: [CANARY]},
    )
    listed = await until_listed(client, USER, {YELLOW}, Status.ACTIVE)
    memory = listed[YELLOW]
    assert memory.data == {CANARY: [CANARY]}
    await client.edit(memory.id, user_id=USER, content=GREEN)
    await until_listed(client, USER, {GREEN}, Status.ACTIVE)
    await until_recalled(client, f"Who feeds the {CANARY}?", USER, "m1")
    assert (await http.get("/v1/changes", params={"user_id": USER})).text.count(CANARY) > 3


async def raw(database: MongoDatabase) -> dict[str, list[Document]]:
    names = await database._database.list_collection_names()
    return {name: await database._database[name].find({}).to_list(None) for name in names}


def singing(where: Any) -> bool:
    return CANARY.lower() in str(where).lower()


def files_with(words: str, directory: Path) -> list[str]:
    return [
        str(path.relative_to(directory))
        for path in sorted(directory.rglob("*"))
        if path.is_file() and words.encode() in path.read_bytes()
    ]


async def test_a_canary_is_heard_by_who_has_the_key_and_by_nobody_once_it_is_destroyed(
    own_palimpsest: RunningPalimpsest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_KEY", MASTER)
    running = await own_palimpsest.start()
    instance = running.instance
    async with (
        running.client() as client,
        httpx.AsyncClient(base_url=instance.http_url, trust_env=False, timeout=30) as http,
        Topics.at(instance.kafka_bootstrap_servers) as topics,
    ):
        await planted(client, http)
        without = MongoDatabase(instance.mongodb_url, "palimpsest")
        await topics.at_rest(without)
        backup = await raw(without)
        assert [name for name, documents in backup.items() if singing(documents)] == []
        records = await topics.everything()
        assert sum(USER.encode() in record for record in records) > 10
        assert [record for record in records if singing(record)] == []
        without.close()
    assert await running.interrupt() == 0
    # Ids stay readable, so it is known that what is looked for would be found.
    assert files_with(USER, running.directory)
    assert files_with(CANARY, running.directory) == []
    assert not singing(points_in(running.directory))
    assert not singing(running.output)

    # The master key is another one from here on, and the old one only opens.
    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_KEY", ROTATED)
    monkeypatch.setenv("PALIMPSEST_ENCRYPTION_OLDER_KEYS", MASTER)
    await running.start()
    instance = running.instance
    async with (
        running.client() as client,
        httpx.AsyncClient(base_url=instance.http_url, trust_env=False, timeout=30) as http,
    ):
        holder = MongoDatabase(
            instance.mongodb_url, "palimpsest", masters=MasterKeys(parse_master_key(ROTATED))
        )
        both = MasterKeys(parse_master_key(ROTATED), [parse_master_key(MASTER)])
        assert (await rewrap_user_keys(holder.collection(KEYS), both)).rewrapped > 0
        await until_listed(client, USER, {GREEN}, Status.ACTIVE)
        assert holder.sealing is not None
        kept = [await holder.sealing.open(backup[name]) for name in backup if name != KEYS.name]
        assert singing(kept)
        await client.forget_everything(USER)
        await until_obeyed(running.instance, USER)
        await client.remember("I keep no birds", user_id=USER)
        await until_listed(client, USER, {"I keep no birds"}, Status.ACTIVE)
        holder.close()
        holder = MongoDatabase(instance.mongodb_url, "palimpsest", masters=both)
        keys = {each["epoch"]: each for each in (await raw(holder))[KEYS.name]}
        assert ("wrapped" in keys[0], "wrapped" in keys[1]) == (False, True)
        # What lies in a backup, or on Kafka, is as good as gone.
        assert holder.sealing is not None
        opened = [await holder.sealing.open(backup[name]) for name in backup if name != KEYS.name]
        assert not singing(opened)
        assert "[erased]" in str(opened)
        holder.close()
    assert await running.interrupt() == 0
