"""Rotation of the master key: all keys move to the new one, none that was destroyed comes back."""

from collections.abc import Sequence
from typing import Any

import pytest

from palimpsest_server.domain.encrypted_fields import ContentOwner
from palimpsest_server.stores.collections import KEYS
from palimpsest_server.stores.encryption.key_rotation import (
    KEYS_PER_PAGE,
    RewrapProgress,
    count_keys,
    rewrap_user_keys,
)
from palimpsest_server.stores.encryption.keyring import Keyring, seal_value
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase

pytestmark = pytest.mark.embedded

OLDEST, OLD, NEW = (bytes([number] * 32) for number in (1, 2, 3))
BOTH, ONLY_NEW = MasterKeys(NEW, [OLD]), MasterKeys(NEW)
PEOPLE = [ContentOwner(f"person-{number}", 0) for number in range(5)]


@pytest.fixture
def keys(database: MongoDatabase) -> Any:
    return database._database[KEYS.name]


async def sealed(keys: Any, masters: MasterKeys, owners: Sequence[ContentOwner]) -> list[bytes]:
    made = await Keyring(keys, masters).of(owners)
    return [seal_value(made[owner], f"the tea of {owner.user_id}") for owner in owners]


async def opened(keys: Any, masters: MasterKeys, tokens: Sequence[bytes]) -> list[str]:
    ring = Keyring(keys, masters)
    await ring.load([token[9:25] for token in tokens])
    return [ring.open(token) for token in tokens]


async def test_afterwards_the_new_master_key_alone_opens_what_was_sealed_before(keys: Any) -> None:
    tokens = await sealed(keys, MasterKeys(OLD), PEOPLE)
    tokens += await sealed(keys, BOTH, [ContentOwner("new", 0)])
    wanted = [f"the tea of {each}" for each in [*(one.user_id for one in PEOPLE), "new"]]
    before = await keys.find({}).to_list(None)
    planned = await rewrap_user_keys(keys, BOTH, dry_run=True)
    assert (planned.current, planned.rewrapped) == (1, 5)
    assert await keys.find({}).to_list(None) == before
    steps: list[int] = []
    done = await rewrap_user_keys(keys, BOTH, step=lambda far: steps.append(far.seen))
    assert (done.current, done.rewrapped, done.gone) == (1, 5, 0)
    assert steps == [1, 2, 3, 4, 5, 6]
    assert await opened(keys, ONLY_NEW, tokens) == wanted
    again = await rewrap_user_keys(keys, BOTH)
    assert (again.current, again.rewrapped) == (6, 0)


async def test_ended_after_any_key_it_leaves_all_of_them_open_and_goes_on_where_it_was(
    keys: Any,
) -> None:
    tokens = await sealed(keys, MasterKeys(OLD), PEOPLE)
    wanted = [f"the tea of {each.user_id}" for each in PEOPLE]
    for _ in PEOPLE:
        with pytest.raises(KeyboardInterrupt):
            await rewrap_user_keys(keys, BOTH, step=_end_after_one_more)
        assert await opened(keys, BOTH, tokens) == wanted
    assert (await rewrap_user_keys(keys, BOTH)).current == len(PEOPLE)
    assert await opened(keys, ONLY_NEW, tokens) == wanted


def _end_after_one_more(done: RewrapProgress) -> None:
    if done.rewrapped:
        raise KeyboardInterrupt


async def test_a_key_that_is_destroyed_between_reading_and_writing_stays_destroyed(
    keys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (token,) = await sealed(keys, MasterKeys(OLD), PEOPLE[:1])
    ring = Keyring(keys, BOTH)

    class ForgottenMeanwhile:
        def __getattr__(self, name: str) -> Any:
            return getattr(keys, name)

        async def update_one(self, *arguments: Any) -> Any:
            assert await ring.destroy("person-0", before_epoch=1) == 1
            return await keys.update_one(*arguments)

    done = await rewrap_user_keys(ForgottenMeanwhile(), BOTH)
    assert (done.rewrapped, done.gone) == (0, 1)
    assert await opened(keys, BOTH, [token]) == ["[erased]"]
    (grave,) = await keys.find({}).to_list(None)
    assert grave.keys() == {"_id", "user_id", "epoch"}
    assert (await rewrap_user_keys(keys, BOTH)).seen == 0


async def test_forgetting_destroys_what_was_rewrapped_before(keys: Any) -> None:
    tokens = await sealed(keys, MasterKeys(OLD), PEOPLE[:2])
    await rewrap_user_keys(keys, BOTH)
    assert await Keyring(keys, ONLY_NEW).destroy("person-0", before_epoch=1) == 1
    assert await opened(keys, BOTH, tokens) == ["[erased]", "the tea of person-1"]


async def test_a_key_of_a_master_key_that_is_lost_is_told_and_left(keys: Any) -> None:
    await sealed(keys, MasterKeys(OLDEST), PEOPLE[:1])
    await sealed(keys, MasterKeys(OLD), PEOPLE[1:])
    done = await rewrap_user_keys(keys, BOTH)
    assert done.rewrapped == len(PEOPLE) - 1
    assert dict(done.unreadable) == {MasterKeys(OLDEST).current: 1}


async def test_all_of_many_keys_are_seen_once(keys: Any) -> None:
    many = [ContentOwner(f"person-{number}", 0) for number in range(KEYS_PER_PAGE + 3)]
    await sealed(keys, MasterKeys(OLD), many)
    assert await count_keys(keys) == len(many)
    assert (await rewrap_user_keys(keys, BOTH)).rewrapped == len(many)
