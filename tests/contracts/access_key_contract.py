"""The promises of every store of keys."""

from datetime import UTC, datetime, timedelta

from palimpsest.model.permissions import KeyKind, Permission
from palimpsest_server.stores.access_keys import AccessKeyStore, StoredAccessKey

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def key(name: str, *, at: datetime = NOW) -> StoredAccessKey:
    return StoredAccessKey(
        id=name,
        kind=KeyKind.AGENT,
        name=f"for {name}",
        user_id="ann",
        agent_id="coder",
        permissions=frozenset({Permission.READ, Permission.ERASE}),
        created_at=at,
        expires_at=LATER,
        secret_hash=f"hash of {name}",
    )


class AccessKeyContract:
    async def test_what_was_added_is_found_as_it_was(self, keys: AccessKeyStore) -> None:
        await keys.add(key("a"))
        assert await keys.get("a") == key("a")
        assert await keys.get("b") is None

    async def test_all_are_listed_the_newest_first(self, keys: AccessKeyStore) -> None:
        for stored_access_key in (key("b"), key("c", at=LATER), key("a")):
            await keys.add(stored_access_key)
        assert [each.id for each in await keys.all()] == ["c", "a", "b"]

    async def test_a_revoked_key_stays_revoked_since_the_first_time(
        self, keys: AccessKeyStore
    ) -> None:
        await keys.add(key("a"))
        for at in (NOW, LATER):
            revoked = await keys.revoke("a", at)
            assert revoked is not None
            assert revoked.revoked_at == NOW
        assert await keys.get("a") == revoked
        assert await keys.rotate("a", "another", LATER) is None
        assert await keys.revoke("b", NOW) is None

    async def test_a_rotated_key_has_another_secret_and_knows_the_former_one_for_a_while(
        self, keys: AccessKeyStore
    ) -> None:
        await keys.add(key("a"))
        rotated = await keys.rotate("a", "another", LATER)
        assert rotated == key("a").model_copy(
            update={
                "secret_hash": "another",
                "former_hash": "hash of a",
                "former_until": LATER,
            }
        )
        assert await keys.get("a") == rotated
        assert await keys.rotate("b", "another", LATER) is None

    async def test_the_last_use_only_moves_on(self, keys: AccessKeyStore) -> None:
        await keys.add(key("a"))
        await keys.note_uses({"a": LATER, "gone": LATER})
        await keys.note_uses({"a": NOW})
        found = await keys.get("a")
        assert found is not None
        assert found.last_used_at == LATER
