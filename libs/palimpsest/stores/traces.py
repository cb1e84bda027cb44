"""What recalls returned and what of it was used, read by whoever tunes the ranking."""

from collections import defaultdict

from palimpsest.contracts.collections import RECALLS, REQUESTS
from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.domain.evolution.feedback import Verdict
from palimpsest.domain.ranking.tuning import SIGNS, Trace
from palimpsest.stores.mongo import Document, MongoDatabase
from palimpsest.stores.requests_mongo import event_of

_TELLING = ("RecallUsed", "FeedbackGiven")


class MongoTraces:
    """Joined here: a recall may be counted later than what was used of it is told."""

    def __init__(self, database: MongoDatabase) -> None:
        self._recalls = database.collection(RECALLS)
        self._requests = database.collection(REQUESTS)

    async def all(self) -> list[Trace]:
        """Those that stand (thirty days) and of which something was used."""
        used: dict[tuple[str, str], set[str]] = defaultdict(set)
        async for document in self._requests.find({"type": {"$in": list(_TELLING)}}):
            user_id, recall_id, result_ids = _used(document)
            if recall_id is not None and result_ids:
                used[(user_id, recall_id)] |= set(result_ids)
        found = self._recalls.find({"user_id": {"$in": sorted({user for user, _ in used})}})
        return [
            _trace(document, used[place])
            async for document in found
            if (place := (document["user_id"], document.get("recall_id", ""))) in used
            and document.get("returned")
        ]


def _used(document: Document) -> tuple[str, str | None, tuple[str, ...]]:
    """Of one verdict only what is found helpful, and only where it was said of what."""
    match event_of(document):
        case RecallUsed() as event:
            return event.user_id, event.recall_id, event.result_ids
        case FeedbackGiven() as verdict:
            meant = verdict.verdict is Verdict.HELPFUL and len(verdict.memory_ids) == 1
            return verdict.user_id, verdict.recall_id, verdict.memory_ids if meant else ()
        case _:
            return document["user_id"], None, ()


def _trace(document: Document, used: set[str]) -> Trace:
    returned = {
        identity: tuple(signs)
        for identity, *signs in document["returned"]
        if len(signs) == len(SIGNS)
    }
    return Trace(document["recall_id"], returned, frozenset(used))
