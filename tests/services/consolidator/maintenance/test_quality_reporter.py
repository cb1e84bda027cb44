"""What is found on a round, written down for the console and told to Prometheus."""

from palimpsest.model.memory import Status
from palimpsest.model.quality_report import RecallProbe
from palimpsest.model.scope import Namespace
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.reports import MongoReports
from services.consolidator.maintenance.quality_reporter import QualityReporter
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import forget, remember, remembered_id
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

NAMESPACE = Namespace(user_id="alice")


class Asking:
    """Takes half of the words for the whole of them, as a model would."""

    def __init__(self, whole: dict[str, str]) -> None:
        self._whole = whole

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:  # noqa: ARG002
        vectors = vectors_of(self._whole.get(text, text))
        return QueryVectors(dense=vectors.dense_values(), sparse=vectors.sparse())


async def test_a_round_is_written_down_and_told(
    consolidator: Consolidator, stores: Stores, clock: SettableClock, database: MongoDatabase
) -> None:
    gone = remember("I have a boat")
    await consolidator.handle(remember("I like green tea"), gone, remember("of bob", user_id="bob"))
    await consolidator.handle(forget(remembered_id(gone)))
    reports = MongoReports(database)
    reporting = QualityReporter(
        stores.memories,
        reports,
        projecting=consolidator.projecting,
        vectors=stores.vectors,
        embedder=Asking({"I like": "I like green tea"}),  # type: ignore[arg-type]
        metrics=consolidator.metrics,
        clock=clock,
    )
    await reporting.report([NAMESPACE, Namespace(user_id="bob")])
    (own,) = await reports.of_user("alice")
    assert (own.namespace, own.report.day) == (NAMESPACE, clock().date())
    assert own.report.by_status == {Status.ACTIVE: 1, Status.FORGOTTEN: 1}
    assert (own.report.drift, own.report.probe) == (0, RecallProbe(asked=1, found=1))
    assert len(await reports.everything()) == 2
    assert consolidator.counted("quality", what="probes asked") == 2

    await stores.vectors.remove(
        {remembered_id(remember("of bob", user_id="bob")): remember("x", user_id="bob").scope}
    )
    await reporting.report([Namespace(user_id="bob")])
    (bobs,) = await reports.of_user("bob")
    assert (bobs.report.drift, bobs.report.probe) == (1, RecallProbe(asked=1, found=0))
    assert consolidator.counted("quality", what="drift") == 1
