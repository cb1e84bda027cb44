"""What a request shows becomes a grant, or is refused: keys, and tokens that they made."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from palimpsest.api.access_keys import TokenRequest
from palimpsest.model.errors import (
    CommandRefused,
    PermanentError,
    PermissionMissing,
    RateExceeded,
    TransientError,
    Unauthenticated,
)
from palimpsest.model.permissions import EVERY_PERMISSION, KeyKind, Permission
from palimpsest_server.domain.access.grant import UNGUARDED, Grant
from palimpsest_server.domain.access.key_secrets import KeySecret
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.stores.access_keys import (
    InMemoryAccessKeys,
    MongoAccessKeys,
    StoredAccessKey,
)
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.platform import unreachable_database
from tests.support.server.desk_application import KEY

READ_AND_ERASE = frozenset({Permission.READ, Permission.ERASE})


class Door:
    """Processes of one deployment, on the same keys."""

    def __init__(self) -> None:
        self.clock = SettableClock()
        self.passing_time = SettableClock()
        self.keys = InMemoryAccessKeys()

    def process(self, **settings: Any) -> AccessControl:
        given = GivenSettings(**{"api_key": SecretStr(KEY), **settings})
        return AccessControl(given, self.keys, self.clock, passing_time=self.passing_time)

    async def key(self, **fields: Any) -> KeySecret:
        secret = KeySecret.generate()
        user_id, agent_id = fields.get("user_id"), fields.get("agent_id")
        kind = KeyKind.AGENT if agent_id else KeyKind.USER if user_id else KeyKind.SERVICE
        await self.keys.add(
            StoredAccessKey.model_validate(
                {
                    "id": secret.key_id,
                    "kind": kind,
                    "name": "a key of this test",
                    "permissions": READ_AND_ERASE,
                    "created_at": self.clock(),
                    "secret_hash": secret.hash(),
                    **fields,
                }
            )
        )
        return secret


@pytest.fixture
def door() -> Door:
    return Door()


async def test_where_no_keys_are_asked_for_everything_is_open(door: Door) -> None:
    process = AccessControl(GivenSettings(), door.keys, door.clock)
    assert not process.is_guarded
    assert await process.admit(None) is UNGUARDED
    with pytest.raises(CommandRefused):
        process.issue_token(UNGUARDED, TokenRequest(user_id="ann"))


async def test_the_key_of_the_settings_opens_everything(door: Door) -> None:
    grant = await door.process().admit(KEY)
    assert (grant.kind, grant.permissions) == (KeyKind.SERVICE, EVERY_PERMISSION)


@pytest.mark.parametrize("shown", [None, "", "x", KEY + "x", KEY[:-1], "a.b.c", "..", "é.é.é"])
async def test_what_is_no_key_opens_nothing(door: Door, shown: str | None) -> None:
    with pytest.raises(Unauthenticated) as refused:
        await door.process().admit(shown)
    assert not shown or len(shown) < 4 or shown not in str(refused.value)


async def test_a_key_opens_what_it_was_made_for(door: Door) -> None:
    secret = await door.key(user_id="ann", agent_id="coder")
    grant = await door.process().admit(secret.reveal())
    assert grant == Grant(
        holder=secret.key_id, permissions=READ_AND_ERASE, user_id="ann", agent_id="coder"
    )


async def test_the_id_of_a_key_with_another_secret_opens_nothing(door: Door) -> None:
    secret = await door.key()
    with pytest.raises(Unauthenticated):
        await door.process().admit(KeySecret.generate(secret.key_id).reveal())


async def test_an_expired_key_opens_nothing(door: Door) -> None:
    secret = await door.key(expires_at=door.clock() + timedelta(hours=1))
    process = door.process()
    await process.admit(secret.reveal())
    door.clock.advance(timedelta(hours=1))
    with pytest.raises(Unauthenticated):
        await process.admit(secret.reveal())


async def test_every_process_hears_of_a_revocation_within_two_seconds(door: Door) -> None:
    secret = await door.key()
    processes = [door.process(), door.process()]
    tokens = []
    for process in processes:
        grant = await process.admit(secret.reveal())
        asked = TokenRequest(user_id="ann", permissions=frozenset({Permission.READ}))
        tokens.append(process.issue_token(grant, asked).token)
    await door.keys.revoke(secret.key_id, door.clock())
    door.passing_time.advance(timedelta(seconds=2) - timedelta(milliseconds=1))
    for process in processes:
        for shown in (secret.reveal(), *tokens):
            with pytest.raises(Unauthenticated):
                await process.admit(shown)


async def test_a_former_secret_goes_on_for_as_long_as_was_said(door: Door) -> None:
    former = await door.key()
    secret = KeySecret.generate(former.key_id)
    await door.keys.rotate(secret.key_id, secret.hash(), door.clock() + timedelta(minutes=1))
    process = door.process()
    for shown in (former, secret):
        await process.admit(shown.reveal())
    door.clock.advance(timedelta(minutes=1))
    await process.admit(secret.reveal())
    with pytest.raises(Unauthenticated):
        await process.admit(former.reveal())


async def test_a_token_opens_one_user_or_agent_with_fewer_permissions(door: Door) -> None:
    process = door.process()
    maker = await process.admit((await door.key()).reveal())
    request = TokenRequest(
        user_id="ann", agent_id="coder", permissions=frozenset({Permission.READ})
    )
    issued = process.issue_token(maker, request)
    # Another process of the deployment reads it.
    grant = await door.process().admit(issued.token)
    assert (grant.user_id, grant.agent_id) == ("ann", "coder")
    assert grant.permissions == {Permission.READ}
    with pytest.raises(PermissionMissing, match="write"):
        process.issue_token(maker, TokenRequest(user_id="ann"))


async def test_a_token_ends_with_its_time(door: Door) -> None:
    process = door.process()
    asked = TokenRequest(user_id="ann", expires_in_seconds=60)
    token = process.issue_token(await process.admit(KEY), asked).token
    door.clock.advance(timedelta(seconds=59))
    await process.admit(token)
    door.clock.advance(timedelta(seconds=1))
    with pytest.raises(Unauthenticated, match="expired"):
        await process.admit(token)


async def test_a_token_of_another_deployment_or_changed_on_its_way_opens_nothing(
    door: Door,
) -> None:
    process = door.process()
    token = process.issue_token(await process.admit(KEY), TokenRequest(user_id="ann")).token
    head, _, signature = token.split(".")
    others = process.issue_token(await process.admit(KEY), TokenRequest(user_id="ben")).token
    for forged in (f"{head}.{others.split('.')[1]}.{signature}", token[:-2], token + "x"):
        with pytest.raises(Unauthenticated):
            await process.admit(forged)
    with pytest.raises(Unauthenticated):
        await door.process(token_secret=SecretStr("s" * 32)).admit(token)


async def test_a_key_that_sends_too_much_is_told_when_to_come_again(door: Door) -> None:
    process = door.process(key_rates={KeyKind.USER: "3/hour"})
    first, second = [await door.key(user_id="ann") for _ in range(2)]
    for _ in range(3):
        await process.admit(first.reveal())
    with pytest.raises(RateExceeded) as limited:
        await process.admit(first.reveal())
    assert 0 < (limited.value.retry_after_seconds or 0) <= 3600
    # Another key, and one of another kind, have rates of their own.
    await process.admit(second.reveal())
    await process.admit(KEY)


def test_a_rate_that_cannot_be_read_is_told_at_the_start(door: Door) -> None:
    with pytest.raises(PermanentError, match="PALIMPSEST_KEY_RATES"):
        door.process(key_rates={KeyKind.USER: "often"})


async def test_where_keys_cannot_be_read_the_client_is_to_try_again(door: Door) -> None:
    given = GivenSettings(api_key=SecretStr(KEY))
    process = AccessControl(given, MongoAccessKeys(unreachable_database()), door.clock)
    with pytest.raises(TransientError):
        await process.admit(KeySecret.generate().reveal())
    await process.admit(KEY)


async def test_the_last_use_is_written_behind_and_coarsely(door: Door) -> None:
    secret = await door.key()
    process = door.process()
    began = door.clock()
    for seconds in (0, 60, 60):
        door.clock.advance(timedelta(seconds=seconds))
        await process.admit(secret.reveal())
    await process.uses.flush()
    (known,) = await door.keys.all()
    assert known.last_used_at == began
    door.clock.advance(timedelta(minutes=10))
    await process.admit(secret.reveal())
    await process.uses.flush()
    (known,) = await door.keys.all()
    assert known.last_used_at == door.clock()


async def test_a_stream_is_open_for_as_long_as_its_key(door: Door) -> None:
    process = door.process()
    secret = await door.key(user_id="ann", expires_at=door.clock() + timedelta(hours=1))
    grant = await process.admit(secret.reveal())
    assert await process.still_opens(secret.reveal(), grant)
    door.clock.advance(timedelta(hours=2))
    assert not await process.still_opens(secret.reveal(), grant)
    assert await AccessControl(GivenSettings(), door.keys, door.clock).still_opens(None, UNGUARDED)
