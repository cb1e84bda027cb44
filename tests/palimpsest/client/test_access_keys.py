"""The client names the fault of a key: unknown, without the permission, or above its rate."""

import pytest

from palimpsest.client import (
    NotAllowed,
    PalimpsestClient,
    PermissionDenied,
    TooManyRequests,
    Unavailable,
)
from palimpsest.model.errors import PermissionMissing, RateExceeded, Unauthenticated
from tests.support.palimpsest.client.answering_server import Server


async def test_a_key_that_opens_nothing_is_not_tried_again(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [Unauthenticated("send a key")]
    with pytest.raises(NotAllowed, match="send a key") as refused:
        await client.recall("tea?", user_id="ann")
    assert not isinstance(refused.value, PermissionDenied)
    assert len(server.requests) == 1


async def test_a_key_that_allows_less_says_what_it_lacks(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [PermissionMissing("this key lacks the permission `write`")]
    with pytest.raises(PermissionDenied, match="`write`") as refused:
        await client.recall("tea?", user_id="ann")
    assert refused.value.reason == "forbidden"


async def test_a_key_that_is_too_fast_waits_for_as_long_as_was_said(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [RateExceeded("too many", retry_after_seconds=1)]
    assert (await client.recall("tea?", user_id="ann")).recall_id == "tea?"
    assert len(server.requests) == 2
    server.raising = [RateExceeded("too many", retry_after_seconds=3_000)]
    with pytest.raises(TooManyRequests) as refused:
        await client.recall("tea?", user_id="ann")
    assert isinstance(refused.value, Unavailable)
    assert (refused.value.reason, refused.value.retry_after_seconds) == ("too_many_requests", 3_000)
