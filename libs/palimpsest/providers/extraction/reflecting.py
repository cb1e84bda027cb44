"""What several memories show together: a language model is asked, and its numbers are checked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from palimpsest.contracts.answers import ReflectionsProposed
from palimpsest.contracts.questions import ReflectionRequested
from palimpsest.domain.reflection.reflecting import MOST_AT_ONCE, MOST_BASES
from palimpsest.model.distillate import Basis
from palimpsest.model.proposed_reflection import LEAST_BASES, ProposedReflection
from palimpsest.providers.extraction.answer_event import taken_over
from palimpsest.providers.extraction.answering_language import require
from palimpsest.providers.extraction.grounding import Flaw
from palimpsest.providers.extraction.prompts.reflection import (
    FoundReflection,
    FoundReflections,
    reflection_prompt,
)
from palimpsest.providers.extraction.rights import states_rights_or_instructions
from palimpsest.providers.models.asking import TaskModel


@dataclass(frozen=True)
class Reflected:
    event: ReflectionsProposed
    dropped: Counter[Flaw] = field(default_factory=Counter)
    """How many findings rest on nothing sound, by flaw."""


class Reflector(Protocol):
    @property
    def name(self) -> str: ...

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> Reflected:
        """The proposal that follows: the same question, the same event.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...


class FindingNothing:
    """For a question that is left from when a model was configured: the rules find without one."""

    name = "local"

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> Reflected:
        return Reflected(_proposed(asked, (), provider))


class ModelReflector:
    """What the model says is only proposed: the one writer looks whether all of it still stands."""

    def __init__(self, model: TaskModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> Reflected:
        def check(found: FoundReflections) -> None:
            require(asked.language, [one.content for one in found.reflections])

        found = await self._model.ask(reflection_prompt(asked), user_id=asked.user_id, check=check)
        sound, dropped = borne_out(found, asked)
        return Reflected(_proposed(asked, sound, provider), dropped)


def borne_out(
    found: FoundReflections, asked: ReflectionRequested
) -> tuple[Sequence[ProposedReflection], Counter[Flaw]]:
    """What rests on at least three of the memories that were shown; of the rest, what is wrong."""
    sound: list[ProposedReflection] = []
    dropped: Counter[Flaw] = Counter()
    for one in found.reflections:
        flaw = _flaw(one, len(asked.memories))
        if flaw is None and len(sound) == MOST_AT_ONCE:
            flaw = Flaw.TOO_MANY
        if flaw is None:
            sound.append(_with_its_bases(one, asked))
        else:
            dropped[flaw] += 1
    return sound, dropped


def _flaw(found: FoundReflection, shown: int) -> Flaw | None:
    if not found.content.strip():
        return Flaw.EMPTY
    if not all(1 <= number <= shown for number in found.rests_on):
        return Flaw.NO_SUCH_MEMORY
    if len(set(found.rests_on)) < LEAST_BASES:
        return Flaw.TOO_FEW_MEMORIES
    if states_rights_or_instructions(found.content):
        return Flaw.RIGHTS_OR_INSTRUCTIONS
    return None


def _with_its_bases(found: FoundReflection, asked: ReflectionRequested) -> ProposedReflection:
    # In the order of time, so the latest of very many.
    numbers = sorted(set(found.rests_on))[-MOST_BASES:]
    cited = [asked.memories[number - 1] for number in numbers]
    return ProposedReflection(
        kind=found.kind,
        content=found.content.strip(),
        rests_on=tuple(Basis(memory_id=one.memory_id, version=one.version) for one in cited),
    )


def _proposed(
    asked: ReflectionRequested, reflections: Sequence[ProposedReflection], provider: str
) -> ReflectionsProposed:
    return ReflectionsProposed(
        **taken_over(asked, "ReflectionsProposed", provider),
        reflections=tuple(reflections),
    )
