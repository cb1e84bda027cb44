"""The consolidator erases what was said to be done, with the message that said so."""

from palimpsest.contracts.collections import COMPLETIONS
from palimpsest.stores.erasing.chunks import AT_ONCE, delete_all
from palimpsest.stores.erasures import DecidedErasure
from palimpsest.stores.mongo import Document, MongoDatabase


class CompletionEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._completions = database.collection(COMPLETIONS)

    async def erase(self, decided: DecidedErasure) -> None:
        erasure, own = decided.erasure, {"user_id": decided.user_id}
        if erasure.everything:
            await delete_all(self._completions, {**own, "epoch": {"$lt": erasure.epoch}})
            return
        for start in range(0, len(erasure.turn_ids), AT_ONCE):
            turns = list(erasure.turn_ids[start : start + AT_ONCE])
            await delete_all(self._completions, {**own, "turn_id": {"$in": turns}})
        if erasure.project_id is not None:
            which: Document = {**own, "scope.project_id": erasure.project_id}
            if erasure.agent_id is not None:
                which["scope.agent_id"] = erasure.agent_id
            await delete_all(self._completions, which)
