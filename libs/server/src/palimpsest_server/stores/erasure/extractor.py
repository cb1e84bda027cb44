"""The extractor erases requests to models and their answers; the ids of the requests stay.

The cost of the calls stays too, without a user, so that the deployment's total is still right.
"""

from palimpsest.model.clock import Clock
from palimpsest.model.distillate import ProposedReflection
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import memory_id
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import Turn
from palimpsest_server.stores.collections import LEDGER, LEDGER_TEXTS, MODEL_SPENDING, TURNS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.mongo.chunked_writes import DOCUMENTS_PER_CHUNK, delete_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.summary_needs import SummaryNeed, SummaryNeeds

_REASON = "erased"
_OF_A_SESSION = frozenset({"SummaryRequested", "SummaryProposed"})
_ABOUT_MUCH = frozenset(
    {
        "ProfileRequested",
        "ProfileProposed",
        "ReflectionRequested",
        "ReflectionsProposed",
    }
)
"""Types made from all of a user's memories, which may contain any erased content."""


class ExtractorEraser:
    """Erase requests and answers of models; sessions are summed up anew from what is left."""

    def __init__(
        self, database: MongoDatabase, ledger: Ledger, needs: SummaryNeeds, clock: Clock
    ) -> None:
        self._turns = database.collection(TURNS)
        self._needs = needs
        self._requests = database.collection(LEDGER)
        self._texts = database.collection(LEDGER_TEXTS)
        self._spending = database.collection(MODEL_SPENDING)
        self._usage = MongoUsage(database)
        self._ledger = ledger
        self._clock = clock

    async def erase(self, decided: DecidedErasure) -> None:
        user_id, erasure = decided.user_id, decided.erasure
        # Before anything is dropped: an erasure that is interrupted in between is repeated as a whole.
        await self._needs.note_anew(await self._told_anew(decided))
        concerned = await self._concerned(user_id, erasure)
        judged = await self._judged(user_id, erasure)
        proposed = await self._proposed(user_id, erasure)
        reflected = await self._reflected(user_id, erasure)
        ids = sorted({*erasure.window_ids, *concerned, *judged, *proposed, *reflected})
        for start in range(0, len(ids), DOCUMENTS_PER_CHUNK):
            await self._ledger.drop(
                [(each, user_id) for each in ids[start : start + DOCUMENTS_PER_CHUNK]],
                reason=_REASON,
                now=self._clock(),
            )
        if erasure.everything:
            await delete_in_chunks(self._spending, {"user_id": user_id})
            await self._usage.make_nameless(user_id, before_epoch=erasure.epoch)

    async def _told_anew(self, decided: DecidedErasure) -> list[SummaryNeed]:
        """Return a need of a new summary for each session of the erased messages."""
        query = {"_id": {"$in": list(decided.erasure.turn_ids)}, "user_id": decided.user_id}
        found = {
            SessionKey(turn.user_id, turn.session_id): turn
            async for document in self._turns.find(query)
            for turn in [from_document(Turn, document)]
        }
        return [
            SummaryNeed(
                id=key.id,
                user_id=turn.user_id,
                session_id=turn.session_id,
                scope=turn.scope,
                through=turn.sequence or 0,
                epoch=decided.erasure.epoch,
                anew=decided.id,
                due_at=self._clock(),
            )
            for key, turn in found.items()
        ]

    async def _judged(self, user_id: str, erasure: Erasure) -> list[str]:
        """Return requests that show one of these memories, and requests whose answers name one."""
        if not erasure.memory_ids:
            return []
        ids = {"$in": list(erasure.memory_ids)}
        shown = [{f"request.{place}.memory_id": ids} for place in ("new", "standing", "memories")]
        told = [{f"answer.judgement.{place}.memory_id": ids} for place in ("new", "standing")]
        asked = self._texts.find({"request.user_id": user_id, "$or": shown}, {"_id": 1})
        answered = self._requests.find({"user_id": user_id, "$or": told}, {"_id": 1})
        found = [*await asked.to_list(None), *await answered.to_list(None)]
        return [document["_id"] for document in found]

    async def _proposed(self, user_id: str, erasure: Erasure) -> list[str]:
        """Return requests whose answers proposed one of these memories."""
        wanted = frozenset(erasure.memory_ids)
        if not wanted:
            return []
        answered = {"user_id": user_id, "answer.candidates.0": {"$exists": True}}
        return [
            document["_id"]
            async for document in self._requests.find(answered, {"answer.candidates.id": 1})
            if any(
                memory_id(user_id, each["id"]) in wanted
                for each in document["answer"]["candidates"]
            )
        ]

    async def _reflected(self, user_id: str, erasure: Erasure) -> list[str]:
        """Return requests with a reflection that became, or that rests on, one of these memories."""
        wanted = frozenset(erasure.memory_ids)
        if not wanted:
            return []
        answered = {"user_id": user_id, "answer.type": "ReflectionsProposed"}
        fields = {"answer.reflections": 1, "answer.distillate": 1}
        return [
            document["_id"]
            async for document in self._requests.find(answered, fields)
            if not wanted.isdisjoint(_named_by(document["answer"], user_id))
        ]

    async def _concerned(self, user_id: str, erasure: Erasure) -> list[str]:
        if not (erasure.everything or erasure.of_what_was_told):
            return []
        asked = await self._requests.find({"user_id": user_id}).to_list(None)
        ids = [document["_id"] for document in asked]
        texts = {
            document["_id"]: document["request"]
            async for document in self._texts.find({"_id": {"$in": ids}})
        }
        found = []
        for document in asked:
            said = document.get("answer") or texts.get(document["_id"])
            if said is not None and _is_of(erasure, said):
                found.append(document["_id"])
        return found


def _named_by(answer: Document, user_id: str) -> set[str]:
    """Return the ids of the memories that an answer makes or rests on."""
    found = [ProposedReflection.model_validate(one) for one in answer.get("reflections", ())]
    named = {proposed_reflection.becomes(user_id) for proposed_reflection in found}
    bases = [
        basis.memory_id for proposed_reflection in found for basis in proposed_reflection.rests_on
    ]
    if made := answer.get("distillate"):
        named.add(memory_id(user_id, made["candidate"]["id"]))
        bases += [basis["memory_id"] for basis in made["rests_on"]]
    return named.union(bases)


def _is_of(erasure: Erasure, said: Document) -> bool:
    if erasure.everything:
        return bool((said.get("epoch") or 0) < erasure.epoch)
    if said.get("type") in _ABOUT_MUCH:
        return erasure.of_what_was_said
    if said.get("type") in _OF_A_SESSION:
        own = summary_id(said["user_id"], said["session_id"])
        if erasure.may_be_told_in(own):
            return True
    if erasure.project_id is None or said.get("project_id") != erasure.project_id:
        return False
    return erasure.agent_id in (None, said.get("agent_id"))
