"""The console erases questions and the contents of commands; history erases their effects.

The id of a command stays for as long as Kafka may deliver it again.
"""

from palimpsest.events.command_registry import select_command_names
from palimpsest_server.stores.collections import COMMANDS, STANDING_QUESTIONS
from palimpsest_server.stores.commands import CommandState
from palimpsest_server.stores.decided_erasures import DecidedErasure, MongoErasures
from palimpsest_server.stores.erasure.standing_questions import find_erased_questions
from palimpsest_server.stores.mongo.chunked_writes import update_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.standing_questions import MongoStandingQuestions

_SAYING_NOTHING = select_command_names(lambda command: command.outlives_erasure)
"""Commands without content, kept so that a retry is still recognised."""


class ConsoleEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._commands = database.collection(COMMANDS)
        self._questions = database.collection(STANDING_QUESTIONS)
        self._known_questions = MongoStandingQuestions(database)
        self._erasures = MongoErasures(database)

    async def erase(self, decided: DecidedErasure) -> None:
        await self._erase_commands(decided)
        if decided.erasure.everything:
            older = {"epoch": {"$lt": decided.erasure.epoch}}
            await self._questions.delete_many({"user_id": decided.user_id, **older})
        await self._known_questions.forget_wordings(
            decided.user_id, sorted(decided.erasure.memory_ids)
        )
        if decided.erasure.takes_questions:
            await self._erase_questions(decided)

    async def _erase_questions(self, decided: DecidedErasure) -> None:
        questions = await self._known_questions.list(decided.user_id)
        erasures = [decided, *await self._erasures.of_user(decided.user_id)]
        for question_id in find_erased_questions(questions, erasures):
            await self._known_questions.delete(question_id)

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
