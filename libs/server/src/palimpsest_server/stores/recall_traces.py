"""Traces of recalls: the question, the results and their use, for the user and for fitting weights."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from palimpsest.api.recall import RecallTrace, TracedResult
from palimpsest.events.command_registry import select_command_names
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.value_types import STORED
from palimpsest_server.domain.ranking.weight_fitting import SCORE_FEATURES, RecallOutcome
from palimpsest_server.stores.collections import RECALLS, REQUESTS
from palimpsest_server.stores.mongo.accepted_requests import parse_accepted_event
from palimpsest_server.stores.mongo.database import Document, MongoDatabase

_SHOWN = {"user_id": 1, "epoch": 1, "recall_id": 1, "query": 1, "at": 1, "results": 1}

_CLOCKS_DIFFER = timedelta(hours=1)

_TELLING = select_command_names(lambda command: command.tells_recall_use)


class MongoRankingTraces:
    """Traces with their use, joined here because use may be reported before its recall is stored."""

    def __init__(self, database: MongoDatabase) -> None:
        self._recalls = database.collection(RECALLS)
        self._requests = database.collection(REQUESTS)

    async def all(self) -> list[RecallOutcome]:
        """Return the traces of the last thirty days that have a used result."""
        used: dict[tuple[str, str], set[str]] = defaultdict(set)
        async for document in self._requests.find({"type": {"$in": sorted(_TELLING)}}):
            user_id, recall_id, result_ids = _used(document)
            if recall_id is not None and result_ids:
                used[(user_id, recall_id)] |= set(result_ids)
        whose = {"user_id": {"$in": sorted({user for user, _ in used})}}
        found = self._recalls.find(whose, {"user_id": 1, "recall_id": 1, "returned": 1})
        return [
            _trace(document, used[place])
            async for document in found
            if (place := (document["user_id"], document.get("recall_id", ""))) in used
            and document.get("returned")
        ]


class RecallTraces(Protocol):
    async def page(
        self,
        user_id: str,
        *,
        limit: int,
        agent_id: str | None = None,
        after: str | None = None,
        epoch: int = 0,
    ) -> list[RecallTrace]:
        """Return a user's traces, or those of one agent, newest first.

        `after` is the last recall id of the page before.

        Raises:
            NotFound: the recall `after` is unknown or expired.
        """
        ...


class InMemoryRecallTraces:
    """The twin for tests."""

    def __init__(self) -> None:
        self._traces: list[tuple[str, str | None, int, RecallTrace]] = []

    def keep(
        self, user_id: str, trace: RecallTrace, *, agent_id: str | None = None, epoch: int = 0
    ) -> None:
        self._traces.append((user_id, agent_id, epoch, trace))

    async def page(
        self,
        user_id: str,
        *,
        limit: int,
        agent_id: str | None = None,
        after: str | None = None,
        epoch: int = 0,
    ) -> list[RecallTrace]:
        own = [
            trace
            for whose, asker, made_in, trace in self._traces
            if whose == user_id and agent_id in (None, asker) and made_in >= epoch
        ]
        newest = sorted(own, key=lambda trace: (trace.asked_at, trace.recall_id), reverse=True)
        if after is None:
            return newest[:limit]
        ids = [trace.recall_id for trace in newest]
        if after not in ids:
            raise RecordNotFound("no recall of that id to list on from")
        return newest[ids.index(after) + 1 :][:limit]


class MongoRecallTraces:
    """Traces with their use, joined on reading because use may be reported before its recall is stored."""

    def __init__(self, database: MongoDatabase) -> None:
        self._recalls = database.collection(RECALLS)
        self._requests = database.collection(REQUESTS)

    async def page(
        self,
        user_id: str,
        *,
        limit: int,
        agent_id: str | None = None,
        after: str | None = None,
        epoch: int = 0,
    ) -> list[RecallTrace]:
        which: Document = {"user_id": user_id, "epoch": {"$gte": epoch}}
        if agent_id is not None:
            which["agent_id"] = agent_id
        if after is not None:
            which |= await self._before(which, after)
        newest = self._recalls.find(which, _SHOWN).sort([("at", -1), ("_id", -1)])
        recalls = await newest.limit(limit).to_list(None)
        if not recalls:
            return []
        used = await self._used(user_id, since=recalls[-1]["at"] - _CLOCKS_DIFFER)
        return [_recall_trace(recall, used.get(recall["recall_id"], ())) for recall in recalls]

    async def _before(self, which: Document, recall_id: str) -> Document:
        # A recall that is not in this list is no cursor of it: else the answer tells that it exists.
        last = await self._recalls.find_one({**which, "recall_id": recall_id}, {"at": 1})
        if last is None:
            raise RecordNotFound("no recall of that id to list on from")
        at = last["at"]
        return {"$or": [{"at": {"$lt": at}}, {"at": at, "_id": {"$lt": last["_id"]}}]}

    async def _used(self, user_id: str, *, since: datetime) -> dict[str, list[RecallUsed]]:
        found: dict[str, list[RecallUsed]] = defaultdict(list)
        told = {"user_id": user_id, "told_at": {"$gte": since}}
        async for document in self._requests.find(told):
            event = parse_accepted_event(document)
            if isinstance(event, RecallUsed):
                found[event.recall_id].append(event)
        return found


def _recall_trace(document: Document, told: Sequence[RecallUsed]) -> RecallTrace:
    used = {identity for event in told for identity in event.result_ids}
    results = tuple(TracedResult.model_validate(one, context=STORED) for one in document["results"])
    return RecallTrace(
        recall_id=document["recall_id"],
        asked=document["query"],
        asked_at=document["at"],
        results=results,
        used=tuple(result.id for result in results if result.id in used),
        used_at=max((event.occurred_at for event in told), default=None),
    )


def _used(document: Document) -> tuple[str, str | None, tuple[str, ...]]:
    """Return the used ids of one verdict; only helpful feedback that names its memories counts."""
    match parse_accepted_event(document):
        case RecallUsed() as event:
            return event.user_id, event.recall_id, event.result_ids
        case FeedbackGiven() as verdict:
            meant = verdict.verdict is FeedbackVerdict.HELPFUL and len(verdict.memory_ids) == 1
            return verdict.user_id, verdict.recall_id, verdict.memory_ids if meant else ()
        case _:
            return document["user_id"], None, ()


def _trace(document: Document, used: set[str]) -> RecallOutcome:
    returned = {
        identity: tuple(signs)
        for identity, *signs in document["returned"]
        if len(signs) == len(SCORE_FEATURES)
    }
    return RecallOutcome(document["recall_id"], returned, frozenset(used))
