"""The blocking client has every call of the asynchronous one, and works from any thread."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor

import pytest

from palimpsest.client import PalimpsestClient, SyncPalimpsestClient, Unavailable
from palimpsest.client.access_keys import AccessKeyCalls
from palimpsest.client.sessions import SessionCalls
from palimpsest.client.sync_calls import SyncAccessKeyCalls, SyncSessionCalls, SyncWebhookCalls
from palimpsest.client.webhooks import WebhookCalls
from palimpsest.model.errors import TransientError
from tests.support.palimpsest.client.answering_server import NOON, Server

OF_ASYNCHRONOUS_PROGRAMS = {"subscribe"}


def public_names(of: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(of) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("asynchronous", "blocking"),
    [
        (PalimpsestClient, SyncPalimpsestClient),
        (AccessKeyCalls, SyncAccessKeyCalls),
        (SessionCalls, SyncSessionCalls),
        (WebhookCalls, SyncWebhookCalls),
    ],
)
def test_no_call_is_missing_and_each_has_the_same_parameters_and_words(
    asynchronous: type, blocking: type
) -> None:
    missing = public_names(asynchronous) - public_names(blocking)
    assert missing == (OF_ASYNCHRONOUS_PROGRAMS & public_names(asynchronous))
    for name in public_names(asynchronous) - missing:
        theirs, ours = getattr(asynchronous, name), getattr(blocking, name)
        assert ours.__doc__
        if callable(theirs):
            assert [*inspect.signature(theirs).parameters] == [*inspect.signature(ours).parameters]
            assert not inspect.iscoroutinefunction(ours)


async def test_it_connects_once_tries_again_and_is_closed(url: str, server: Server) -> None:
    server.raising = [TransientError("not yet")]

    def work() -> None:
        with SyncPalimpsestClient(http_url=url, timeout_seconds=5, clock=lambda: NOON) as client:
            assert client.remember("Ann likes tea", user_id="ann").outcome == "accepted"
            assert client.recall("What does Ann like?", user_id="ann").results == ()
        assert client.list(user_id="ann").memories == ()
        client.close()

    await asyncio.to_thread(work)
    assert [request.url.path for request in server.requests] == [
        "/v1/events",
        "/v1/events",
        "/v1/recall",
        "/v1/memories",
    ]


async def test_threads_share_a_client(url: str, server: Server) -> None:
    def work() -> int:
        client = SyncPalimpsestClient(http_url=url, timeout_seconds=5)
        with client, ThreadPoolExecutor(8) as threads:
            asked = [threads.submit(client.recall, "tea?", user_id="ann") for _ in range(20)]
            return sum(future.result().recall_id == "tea?" for future in asked)

    assert await asyncio.to_thread(work) == 20


async def test_errors_are_raised_as_they_are() -> None:
    def work() -> None:
        client = SyncPalimpsestClient(http_url="http://127.0.0.1:9", timeout_seconds=0.2)
        with client, pytest.raises(Unavailable):
            client.settings("ann")
        with pytest.raises(Unavailable):
            list(client.export("ann"))

    await asyncio.to_thread(work)
