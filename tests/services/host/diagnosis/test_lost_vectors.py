"""The doctor's words on messages whose vectors were lost."""

from collections.abc import Iterable

import httpx
import pytest

from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from services.host.diagnosis import Finding, FindingState
from services.host.diagnosis.lost_vectors import check_instance, look_at_sample
from tests.support.server.stores.points import ALICE, MODEL, identity, turn
from tests.support.services.consolidator.events import stored
from tests.support.services.consolidator.stores import InMemoryConfirmedTurns


async def sample(searchable: Iterable[str], *, after: str = "") -> list[Finding]:
    turns, vectors = InMemoryConfirmedTurns(), InMemoryVectorStore(MODEL)
    for name in ("a", "b"):
        said = stored(name).turn.model_copy(update={"id": identity(name)})
        turns.turns[said.id] = said
    await vectors.upsert([turn(name, ALICE) for name in searchable])
    return await look_at_sample(turns, vectors, after=after)


async def test_of_a_sample_those_that_lack_vectors_are_counted() -> None:
    (well,) = await sample(["a", "b"])
    assert (well.state, well.words) == (FindingState.WELL, "none of 2 messages")
    (ill,) = await sample(["a"])
    assert (ill.state, ill.words) == (FindingState.DOUBTFUL, "1 of 2 messages lack theirs")
    assert "palimpsest reindex" in (ill.advice or "")


async def test_a_sample_behind_the_last_is_taken_from_the_first() -> None:
    (finding,) = await sample(["a"], after="z")
    assert finding.words == "1 of 2 messages lack theirs"


@pytest.mark.parametrize(
    ("memories", "turns", "words"),
    [
        (0, 0, "none, as far as was looked"),
        (0, 5, "5 messages lack theirs"),
        (2, 5, "2 memories and 5 messages lack theirs"),
    ],
)
async def test_a_running_instance_is_asked_what_it_counted(
    memories: int, turns: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (
        f"palimpsest_consolidator_drift_memories {memories:.1f}\n"
        f"palimpsest_consolidator_drift_turns {turns:.1f}\n"
    )

    async def answer(_client: httpx.AsyncClient, url: str) -> httpx.Response:
        assert url == "http://127.0.0.1:1/metrics"
        return httpx.Response(200, text=told)

    monkeypatch.setattr(httpx.AsyncClient, "get", answer)
    (finding,) = await check_instance("http://127.0.0.1:1")
    assert finding.words == words
