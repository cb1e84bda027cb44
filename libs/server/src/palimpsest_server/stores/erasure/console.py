"""The console erases questions and the contents of commands; history erases their effects.

The id of a command stays for as long as Kafka may deliver it again.
"""

from palimpsest.events.command_registry import select_command_names
from palimpsest_server.stores.collections import COMMANDS, STANDING_QUESTIONS
from palimpsest_server.stores.commands import CommandState
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.mongo.chunked_writes import update_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase

_SAYING_NOTHING = select_command_names(lambda command: command.outlives_erasure)
"""Commands without content, kept so that a retry is still recognised."""


class ConsoleEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._commands = database.collection(COMMANDS)
        self._questions = database.collection(STANDING_QUESTIONS)

    async def erase(self, decided: DecidedErasure) -> None:
        await self._erase_commands(decided)
        if decided.erasure.everything:
            older = {"epoch": {"$lt": decided.erasure.epoch}}
            await self._questions.delete_many({"user_id": decided.user_id, **older})

    async def _erase_commands(self, decided: DecidedErasure) -> None:
        erasure = decided.erasure
        about: Document = {"event.epoch": {"$lt": erasure.epoch}}
        if not erasure.everything:
            ids = list(erasure.memory_ids)
            about = {
                "state": "confirmed",
                "$or": [
                    {"event.memory_id": {"$in": ids}},
                    {"event.memory_ids": {"$in": ids}},
                    {"event.type": "RememberRequested"},
                ],
            }
        saying = {"event.type": {"$nin": sorted(_SAYING_NOTHING)}}
        over = {"state": CommandState.CONFIRMED.value, "confirmed_at": decided.decided_at}
        await update_in_chunks(
            self._commands,
            {"$and": [{"user_id": decided.user_id, "event": {"$exists": True}}, saying, about]},
            {"$set": over, "$unset": {"event": ""}},
        )
