"""The twin of the questions that are kept."""

from collections.abc import Sequence

from palimpsest_server.stores.standing_questions import (
    MAXIMUM_PAST_SOURCES,
    KnownQuestion,
    PastSource,
)


class InMemoryStandingQuestions:
    def __init__(self) -> None:
        self._questions: dict[str, KnownQuestion] = {}

    async def add(self, question: KnownQuestion) -> KnownQuestion:
        return self._questions.setdefault(question.id, question)

    async def list(self, user_id: str) -> Sequence[KnownQuestion]:
        own = [known for known in self._questions.values() if known.user_id == user_id]
        return sorted(own, key=lambda known: (known.created_at, known.id))

    async def add_sources(self, question_id: str, sources: Sequence[PastSource]) -> None:
        known = self._questions.get(question_id)
        if known is not None:
            latest = (*known.past_sources, *sources)[-MAXIMUM_PAST_SOURCES:]
            self._questions[question_id] = known.model_copy(update={"past_sources": latest})

    async def write_answer(self, question: KnownQuestion) -> None:
        known = self._questions.get(question.id)
        if known is not None and known.revision <= question.revision:
            past_sources = {"past_sources": known.past_sources}
            self._questions[question.id] = question.model_copy(update=past_sources)

    async def forget_wordings(self, user_id: str, memory_ids: Sequence[str]) -> None:
        for known in list(self._questions.values()):
            rests_on = {source.memory_id for source in known.sources}
            if known.user_id == user_id and not rests_on.isdisjoint(memory_ids):
                unworded = {"wording": None, "worded_by": None}
                self._questions[known.id] = known.model_copy(update=unworded)

    async def delete(self, question_id: str) -> None:
        self._questions.pop(question_id, None)
