"""The consolidator erases reported completions with the messages that reported them."""

from palimpsest_server.stores.collections import COMPLETIONS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.mongo.chunked_writes import DOCUMENTS_PER_CHUNK, delete_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase


class CompletionEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._completions = database.collection(COMPLETIONS)

    async def erase(self, decided: DecidedErasure) -> None:
        erasure, own = decided.erasure, {"user_id": decided.user_id}
        if erasure.everything:
            await delete_in_chunks(self._completions, {**own, "epoch": {"$lt": erasure.epoch}})
            return
        for start in range(0, len(erasure.turn_ids), DOCUMENTS_PER_CHUNK):
            turns = list(erasure.turn_ids[start : start + DOCUMENTS_PER_CHUNK])
            await delete_in_chunks(self._completions, {**own, "turn_id": {"$in": turns}})
        if erasure.project_id is not None:
            which: Document = {**own, "scope.project_id": erasure.project_id}
            if erasure.agent_id is not None:
                which["scope.agent_id"] = erasure.agent_id
            await delete_in_chunks(self._completions, which)
