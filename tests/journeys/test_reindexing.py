"""Vectors are made again on the data of an instance that is stopped."""

import pytest

from palimpsest.model.memory import Status
from tests.support.journeys.running import RunningPalimpsest, command
from tests.support.journeys.waiting import until_listed

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


async def test_vectors_made_again_by_another_model_are_found(
    own_palimpsest: RunningPalimpsest, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = await own_palimpsest.start()
    async with running.client() as client:
        await client.remember(
            "Grace keeps her bicycle in the cellar", user_id="grace-at-the-terminal"
        )
        await until_listed(
            client,
            "grace-at-the-terminal",
            {"Grace keeps her bicycle in the cellar"},
            Status.ACTIVE,
        )
    code, output = await command(running, "reindex")
    assert code == 1
    assert f"(process {running.process.pid})" in output
    assert await running.interrupt() == 0

    monkeypatch.setenv("PALIMPSEST_EMBEDDER", "hashing")
    running.launch()
    assert await running.ended() == 1
    assert "palimpsest reindex" in running.output

    code, output = await command(running, "reindex")
    assert code == 0, output
    assert "1 memories and 0 turns have new vectors, and 0 summaries" in output

    await running.start()
    async with running.client() as client:
        answer = await client.recall(
            "Where does Grace keep her bicycle?", user_id="grace-at-the-terminal"
        )
    assert answer.results[0].content == "Grace keeps her bicycle in the cellar"
