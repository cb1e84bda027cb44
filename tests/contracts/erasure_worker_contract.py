"""The promises of every memory of completed erasures."""

from datetime import timedelta

import pytest

from palimpsest.model.erasure import Erasure
from palimpsest_server.delivery.erasure_worker import SETTLED_AFTER, ErasureWorker
from palimpsest_server.stores.collections import STAGES
from palimpsest_server.stores.decided_erasures import DecidedErasure, ErasureStore
from tests.support.clock import SettableClock


class Remembering:
    def __init__(self) -> None:
        self.erased: list[str] = []
        self.fails = False

    async def erase(self, decided: DecidedErasure) -> None:
        if self.fails:
            raise ConnectionError("MongoDB is away")
        self.erased.append(decided.id)


def decided(name: str, clock: SettableClock) -> DecidedErasure:
    return DecidedErasure(
        id=name,
        user_id="ann",
        revision=3,
        decided_at=clock(),
        known_since=clock(),
        erasure=Erasure(everything=True, epoch=1),
    )


class ObeyingContract:
    async def test_what_is_in_hand_when_it_is_decided_is_erased_too(
        self, erasures: ErasureStore, clock: SettableClock
    ) -> None:
        eraser = Remembering()
        obeying = ErasureWorker("ingest", erasures, [eraser], clock=clock)
        await erasures.put([decided("all", clock)])
        await obeying.look()
        assert [erasure.id for erasure in await erasures.waiting("ingest")] == ["all"]
        clock.advance(SETTLED_AFTER)
        await obeying.look()
        await obeying.look()
        assert eraser.erased == ["all", "all"]
        (known,) = await erasures.of_user("ann")
        assert known.waiting_for == tuple(stage for stage in STAGES if stage != "ingest")

    async def test_one_that_fails_is_tried_again(
        self, erasures: ErasureStore, clock: SettableClock
    ) -> None:
        eraser = Remembering()
        eraser.fails = True
        obeying = ErasureWorker("ingest", erasures, [eraser], clock=clock)
        await erasures.put([decided("all", clock)])
        clock.advance(SETTLED_AFTER + timedelta(minutes=1))
        with pytest.raises(ConnectionError):
            await obeying.look()
        eraser.fails = False
        await obeying.look()
        assert (eraser.erased, await erasures.waiting("ingest")) == (["all"], [])

    async def test_what_was_obeyed_is_not_waited_for_once_it_is_decided_again(
        self, erasures: ErasureStore, clock: SettableClock
    ) -> None:
        await erasures.put([decided("all", clock)])
        await erasures.mark_completed("all", "ingest")
        await erasures.put([decided("all", clock)])
        assert await erasures.waiting("ingest") == []
