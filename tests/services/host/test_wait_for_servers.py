import pytest
from pymongo.errors import ServerSelectionTimeoutError

from palimpsest.model.errors import EmbeddingModelMismatch, TransientError
from palimpsest_server.delivery.backoff import Backoff
from services.host.wait_for_servers import wait_for_server

AT_ONCE = Backoff(first_seconds=0.001)


async def test_a_server_that_is_away_at_the_start_is_waited_for_in_words() -> None:
    failures: list[Exception] = [
        ServerSelectionTimeoutError("no servers found at 10.0.0.7"),
        TransientError("MongoDB does not answer"),
    ]
    said: list[str] = []

    async def reach() -> None:
        if failures:
            raise failures.pop()

    await wait_for_server(reach, say=said.append, backoff=AT_ONCE)
    assert failures == []
    assert said[0].startswith("waiting: MongoDB does not answer; trying again in ")
    assert "palimpsest doctor" in said[1]
    assert said[2].startswith("waiting: ServerSelectionTimeoutError; ")
    assert len(said) == 3


async def test_what_waiting_does_not_mend_is_raised_at_once() -> None:
    async def reach() -> None:
        raise EmbeddingModelMismatch("made by another model")

    with pytest.raises(EmbeddingModelMismatch):
        await wait_for_server(reach, say=pytest.fail, backoff=AT_ONCE)
