"""Reported completions, kept for todos that are found only later."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pymongo import InsertOne
from pymongo.errors import BulkWriteError

from palimpsest_server.domain.todos.settlement import CompletionReport
from palimpsest_server.stores.collections import COMPLETIONS
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document, to_document
from palimpsest_server.stores.mongo.failures import require_only_duplicates


class CompletionStore(Protocol):
    async def write(self, said: Sequence[CompletionReport]) -> None:
        """Store each report; a stored report is not overwritten."""
        ...

    async def since(self, moments: Mapping[str, datetime]) -> list[CompletionReport]:
        """Return all reports of each user from the given moment on, in no order."""
        ...

    async def withhold(self, turn_ids: Collection[str]) -> None:
        """Delete the reports made in these turns."""
        ...


class MongoCompletions:
    def __init__(self, database: MongoDatabase) -> None:
        self._completions = database.collection(COMPLETIONS)

    async def write(self, said: Sequence[CompletionReport]) -> None:
        if not said:
            return
        try:
            inserts = [InsertOne(to_document(completion_report)) for completion_report in said]
            await self._completions.bulk_write(inserts, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)

    async def since(self, moments: Mapping[str, datetime]) -> list[CompletionReport]:
        reports: list[CompletionReport] = []
        for user_id, moment in moments.items():
            own = {"user_id": user_id, "completion.said_at": {"$gte": moment}}
            documents = await self._completions.find(own).to_list(None)
            reports += [from_document(CompletionReport, document) for document in documents]
        return reports

    async def withhold(self, turn_ids: Collection[str]) -> None:
        if turn_ids:
            await self._completions.delete_many({"turn_id": {"$in": sorted(turn_ids)}})


class InMemoryCompletions:
    """The twin of `MongoCompletions`."""

    def __init__(self) -> None:
        self._completions: dict[str, CompletionReport] = {}

    async def write(self, said: Sequence[CompletionReport]) -> None:
        for completion_report in said:
            self._completions.setdefault(completion_report.id, completion_report)

    async def since(self, moments: Mapping[str, datetime]) -> list[CompletionReport]:
        return [
            completion
            for completion in self._completions.values()
            if completion.user_id in moments
            and completion.completion.said_at >= moments[completion.user_id]
        ]

    async def withhold(self, turn_ids: Collection[str]) -> None:
        for completion in [*self._completions.values()]:
            if completion.turn_id in turn_ids:
                del self._completions[completion.id]
