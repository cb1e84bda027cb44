"""The promises of every store of decided erasures."""

from palimpsest.model.erasure import Erasure
from palimpsest_server.stores.decided_erasures import DecidedErasure, ErasureStore
from tests.support.turns import MORNING


def decided(name: str, user_id: str = "ann", **erased: object) -> DecidedErasure:
    return DecidedErasure(
        id=name,
        user_id=user_id,
        revision=1,
        decided_at=MORNING,
        known_since=MORNING,
        erasure=Erasure.model_validate({"epoch": 0, **erased}),
    )


class ErasureContract:
    async def test_nothing_is_settled_until_all_have_obeyed_who_keep_what_is_told(
        self, erasures: ErasureStore
    ) -> None:
        await erasures.put(
            [decided("turns", turn_ids=("t",)), decided("another's", "ben", summary_ids=("s",))]
        )
        for stage in ("ingest", "consolidator"):
            await erasures.mark_completed("turns", stage)
            assert await erasures.unsettled(["ann"]) == {"ann"}
        assert await erasures.unsettled(["ann", "ben", "eve"]) == {"ann", "ben"}
        await erasures.mark_completed("turns", "extractor")
        assert await erasures.unsettled(["ann"]) == frozenset(), (
            "whoever else waits keeps none of it"
        )

    async def test_what_nobody_told_settles_nothing(self, erasures: ErasureStore) -> None:
        await erasures.put([decided("memory", memory_ids=("m",))])
        assert await erasures.unsettled(["ann"]) == frozenset()
