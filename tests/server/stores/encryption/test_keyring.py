"""Keys: made once whoever is quicker, opened by who has the master key, destroyed for ever."""

from datetime import timedelta

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.encrypted_fields import ContentOwner
from palimpsest_server.stores.collections import KEYS, MEMORIES
from palimpsest_server.stores.encryption.keyring import Keyring, is_sealed, seal_value
from palimpsest_server.stores.encryption.master_keys import (
    MasterKeys,
    UnknownMasterKey,
    parse_master_key,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock

pytestmark = pytest.mark.embedded

MASTER, NEWER = bytes(range(32)), bytes(range(1, 33))
ANN, BOB = ContentOwner("ann", 0), ContentOwner("bob", 0)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


def keyring(
    database: MongoDatabase, clock: SettableClock, master: bytes = MASTER, *older: bytes
) -> Keyring:
    return Keyring(database._database[KEYS.name], MasterKeys(master, older), clock)


async def test_what_one_process_sealed_another_one_opens(
    database: MongoDatabase, clock: SettableClock
) -> None:
    first, second = keyring(database, clock), keyring(database, clock)
    keys, others = await first.of([ANN, BOB]), await second.of([ANN])
    tokens = [seal_value(keys[ANN], "我喜欢茶"), seal_value(others[ANN], {"茶": [1, None]})]
    assert all(map(is_sealed, tokens))
    assert tokens[0] != seal_value(keys[ANN], "我喜欢茶")
    for ring in (first, second):
        assert [ring.open(token) for token in tokens] == ["我喜欢茶", {"茶": [1, None]}]
    assert keys[ANN].id != keys[BOB].id


async def test_a_destroyed_key_opens_nothing_and_is_never_made_again(
    database: MongoDatabase, clock: SettableClock
) -> None:
    own, other = keyring(database, clock), keyring(database, clock)
    token = seal_value((await own.of([ANN]))[ANN], "the treasure")
    await other.load([token[9:25]])
    kept = seal_value((await own.of([ContentOwner("ann", 1)]))[ContentOwner("ann", 1)], "tea")
    assert await own.destroy("ann", before_epoch=1) == 1
    assert await own.destroy("ann", before_epoch=1) == 0
    await own.load([token[9:25]])
    assert own.open(token) == "[erased]"
    assert own.open(kept) == "tea"
    assert seal_value((await own.of([ANN]))[ANN], "late") == "[erased]"
    # Another process knows it for a minute, and no longer.
    assert other.open(token) == "the treasure"
    clock.advance(timedelta(seconds=61))
    await other.load([token[9:25]])
    assert other.open(token) == "[erased]"


async def test_another_master_key_has_its_owner_wait_and_a_forged_token_is_refused(
    database: MongoDatabase, clock: SettableClock
) -> None:
    own = keyring(database, clock)
    token = seal_value((await own.of([ANN]))[ANN], "tea")
    with pytest.raises(UnknownMasterKey, match="PALIMPSEST_ENCRYPTION_OLDER_KEYS"):
        await keyring(database, clock, bytes(32)).of([ANN])
    with pytest.raises(PermanentError, match="not sealed by the key"):
        own.open(token[:-1] + bytes([token[-1] ^ 1]))


async def test_an_older_master_key_still_opens_and_the_current_one_wraps(
    database: MongoDatabase, clock: SettableClock
) -> None:
    before = keyring(database, clock)
    token = seal_value((await before.of([ANN]))[ANN], "tea")
    rotated = keyring(database, clock, NEWER, MASTER)
    assert seal_value((await rotated.of([BOB]))[BOB], "milk") is not None
    await rotated.load([token[9:25]])
    assert rotated.open(token) == "tea"
    with pytest.raises(UnknownMasterKey):
        await before.of([BOB])


async def test_a_wrapping_from_before_wrappings_had_a_name_is_opened_by_whichever_fits(
    database: MongoDatabase, clock: SettableClock
) -> None:
    token = seal_value((await keyring(database, clock).of([ANN]))[ANN], "tea")
    raw = database._database[KEYS.name]
    await raw.update_one({"user_id": "ann"}, {"$unset": {"wrapped_by": ""}})
    rotated = keyring(database, clock, NEWER, MASTER)
    await rotated.load([token[9:25]])
    assert rotated.open(token) == "tea"
    with pytest.raises(UnknownMasterKey):
        await keyring(database, clock, NEWER).of([ANN])


@pytest.mark.parametrize("text", ["", "short", "ü" * 44, "A" * 45])
def test_a_master_key_is_32_bytes(text: str) -> None:
    with pytest.raises(PermanentError, match="32 bytes"):
        parse_master_key(text)


async def test_a_write_without_a_user_takes_the_one_that_stands(
    database: MongoDatabase, mongodb_url: str
) -> None:
    held = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(MASTER))
    memories, raw = held.collection(MEMORIES), database._database[MEMORIES.name]
    await memories.insert_one({"_id": "m", "user_id": "ann", "epoch": 4, "content": "tea"})
    await memories.update_one({"_id": "m"}, {"$set": {"content": "milk"}})
    document = await raw.find_one({"_id": "m"})
    assert document is not None
    assert is_sealed(document["content"])
    assert await memories.find_one({}) == {**document, "content": "milk"}
    assert [each["epoch"] async for each in database._database[KEYS.name].find({})] == [4]
    held.close()


async def test_what_was_sealed_for_another_user_is_shown_to_nobody(
    database: MongoDatabase, mongodb_url: str
) -> None:
    held = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(MASTER))
    memories, raw = held.collection(MEMORIES), database._database[MEMORIES.name]
    for name, user_id in (("a", "ann"), ("m", "mallory")):
        scope = {"user_id": user_id, "agent_id": None}
        await memories.insert_one({"_id": name, "scope": scope, "content": f"of {user_id}"})
    stolen = await raw.find_one({"_id": "a"})
    assert stolen is not None
    # By somebody who can write to the database, and has no key.
    await raw.update_one({"_id": "m"}, {"$set": {"content": stolen["content"]}})
    with pytest.raises(PermanentError, match="another user"):
        await memories.find_one({"_id": "m"})
    assert (await memories.find({"_id": "a"}).to_list(None))[0]["content"] == "of ann"
    held.close()


async def test_a_start_without_the_right_key_is_refused_with_words(
    database: MongoDatabase, mongodb_url: str, clock: SettableClock
) -> None:
    name = database._database.name
    right, wrong, without = (
        MongoDatabase(mongodb_url, name, masters=masters)
        for masters in (MasterKeys(MASTER), MasterKeys(NEWER), None)
    )
    for each in (right, wrong, without):
        await each.ensure_keys()
    await keyring(database, clock).of([ANN])
    await right.ensure_keys()
    with pytest.raises(PermanentError, match="neither PALIMPSEST_ENCRYPTION_KEY nor"):
        await wrong.ensure_keys()
    with pytest.raises(PermanentError, match="set PALIMPSEST_ENCRYPTION_KEY"):
        await without.ensure_keys()
    for each in (right, wrong, without):
        each.close()
