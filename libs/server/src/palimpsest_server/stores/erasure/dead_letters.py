"""Each stage erases the contents of its own dead letters; their ids and reasons stay."""

import json
from datetime import datetime

from palimpsest_server.stores.collections import DEAD_LETTERS
from palimpsest_server.stores.dead_letters import DeadLetter, DeadLetterState
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.mongo.database import Document, MongoDatabase


class DeadLetterEraser:
    def __init__(self, database: MongoDatabase, stage: str) -> None:
        self._letters = database.collection(DEAD_LETTERS)
        self._stage = stage

    async def erase(self, decided: DecidedErasure) -> None:
        own = {"stage": self._stage, "user_id": decided.user_id, "erased": {"$ne": True}}
        async for letter in self._letters.find(own):
            if _concerned(letter["_id"], letter["body"], letter["failed_at"], decided):
                await self._letters.update_one({"_id": letter["_id"]}, {"$set": _ERASED})


_ERASED: Document = {
    "body": "",
    "truncated": True,
    "replayable": False,
    "erased": True,
    "state": DeadLetterState.REPLAYED.value,
}


def is_letter_erased(letter: DeadLetter, decided: DecidedErasure) -> bool:
    """Return whether a dead letter is among the erased ones."""
    return _concerned(letter.id, letter.body, letter.failed_at, decided)


def _concerned(letter_id: str, body: str, failed_at: datetime, decided: DecidedErasure) -> bool:
    erasure = decided.erasure
    said = _said(body)
    if erasure.everything:
        older = int(said.get("epoch") or 0) < erasure.epoch
        return failed_at <= decided.decided_at or older
    of_project = erasure.project_id is not None and said.get("project_id") == erasure.project_id
    return of_project or letter_id in erasure.dead_letter_ids


def _said(body: str) -> Document:
    """Return the event of a dead letter, or an empty document if it cannot be read."""
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
