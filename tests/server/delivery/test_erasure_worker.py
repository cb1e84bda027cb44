"""Erasures are obeyed twice, and until they are."""

import pytest

from palimpsest.model.erasure import Erasure
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.stores.decided_erasures import (
    DecidedErasure,
    ErasureStore,
    InMemoryErasures,
    MongoErasures,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.erasure_worker_contract import ObeyingContract
from tests.support.clock import SettableClock


class TestOnTwins(ObeyingContract):
    @pytest.fixture
    def erasures(self) -> ErasureStore:
        return InMemoryErasures()


class TestOnMongoDB(ObeyingContract):
    @pytest.fixture
    def erasures(self, database: MongoDatabase) -> ErasureStore:
        return MongoErasures(database)


async def test_one_that_cannot_be_obeyed_yet_holds_up_no_other() -> None:
    class Hesitant:
        def __init__(self) -> None:
            self.erased: list[str] = []

        async def erase(self, decided: DecidedErasure) -> None:
            if decided.id == "first":
                raise TransientError("not yet")
            self.erased.append(decided.id)

    clock, erasures, eraser = SettableClock(), InMemoryErasures(), Hesitant()
    for name in ("first", "second"):
        await erasures.put(
            [
                DecidedErasure(
                    id=name,
                    user_id=name,
                    revision=1,
                    decided_at=clock(),
                    known_since=clock(),
                    erasure=Erasure(everything=True, epoch=1),
                )
            ]
        )
    with pytest.raises(TransientError):
        await ErasureWorker("ingest", erasures, [eraser], clock=clock).look()
    assert eraser.erased == ["second"]
