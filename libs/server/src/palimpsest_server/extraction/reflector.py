"""Ask a language model what several memories show together, and check the memories that it names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.events.extractor_requests import ReflectionRequested
from palimpsest.model.distillate import LEAST_BASES, Distillate, ProposedReflection
from palimpsest.model.memory import MemoryAtVersion
from palimpsest_language.detail_support.source_words import SourceText, SourceWords
from palimpsest_language.detail_support.unsupported_detail import find_unsupported_detail
from palimpsest_language.memory_injection.rights_claims import states_rights_or_instructions
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_server.domain.compression.worded_distillate import reword_distillate
from palimpsest_server.domain.reflection.rule_reflections import MOST_AT_ONCE, MOST_BASES
from palimpsest_server.extraction.answer_envelope import build_answer_envelope
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.prompts.compression import (
    CompressedMemories,
    build_compression_prompt,
)
from palimpsest_server.extraction.prompts.reflection import (
    FoundReflection,
    FoundReflections,
    build_reflection_prompt,
)
from palimpsest_server.models.task_model import ModelProvider


@dataclass(frozen=True)
class ReflectionResult:
    event: ReflectionsProposed
    dropped: Counter[ProposalFlaw] = field(default_factory=Counter)
    """Number of findings without a sound basis, by flaw."""


class Reflector(Protocol):
    @property
    def name(self) -> str: ...

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> ReflectionResult:
        """Return the proposal that follows; the same question gives the same event id.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...


class EmptyReflector:
    """Answer nothing to a question left over from a time when a model was configured."""

    name = "local"

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> ReflectionResult:
        return ReflectionResult(_proposed(asked, (), provider, asked.distillate))


class ModelReflector(ModelProvider):
    """Ask a model. Its reflections are proposals.

    The consolidator checks that their bases are still stored.
    """

    async def reflect(self, asked: ReflectionRequested, *, provider: str) -> ReflectionResult:
        if asked.distillate is not None:
            return await self._word(asked, asked.distillate, provider)

        def check(found: FoundReflections) -> None:
            require_language(
                asked.language, [reflection.content for reflection in found.reflections]
            )

        found = await self._model.ask(
            build_reflection_prompt(asked), user_id=asked.user_id, check=check
        )
        sound, dropped = keep_supported_reflections(found, asked)
        return ReflectionResult(_proposed(asked, sound, provider), dropped)

    async def _word(
        self, asked: ReflectionRequested, made: Distillate, provider: str
    ) -> ReflectionResult:
        """Have a distillate worded by the model; words that are not sound leave it as it is."""

        def check(found: CompressedMemories) -> None:
            require_language(asked.language, [found.content])

        found = await self._model.ask(
            build_compression_prompt(asked), user_id=asked.user_id, check=check
        )
        content = found.content.strip()
        flaw = find_wording_flaw(content, asked)
        if flaw is not None:
            return ReflectionResult(_proposed(asked, (), provider, made), Counter([flaw]))
        return ReflectionResult(_proposed(asked, (), provider, reword_distillate(made, content)))


def find_wording_flaw(content: str, asked: ReflectionRequested) -> ProposalFlaw | None:
    """Return the flaw of words in the place of memories: empty, too long, or not borne out by them."""
    if not content:
        return ProposalFlaw.EMPTY
    if len(content) > sum(len(memory.text) for memory in asked.memories):
        return ProposalFlaw.TOO_LONG
    if states_rights_or_instructions(content):
        return ProposalFlaw.RIGHTS_OR_INSTRUCTIONS
    sources = SourceWords(
        [
            SourceText(memory.text, UtteranceTime(memory.occurred_at, asked.time_zone))
            for memory in asked.memories
        ]
    )
    invented = find_unsupported_detail([content], sources)
    return None if invented is None else ProposalFlaw(f"invented_{invented.value}")


def keep_supported_reflections(
    found: FoundReflections, asked: ReflectionRequested
) -> tuple[Sequence[ProposedReflection], Counter[ProposalFlaw]]:
    """Return reflections that rest on at least three shown memories, and the flaws of the others."""
    sound: list[ProposedReflection] = []
    dropped: Counter[ProposalFlaw] = Counter()
    for reflection in found.reflections:
        flaw = _flaw(reflection, len(asked.memories))
        if flaw is None and len(sound) == MOST_AT_ONCE:
            flaw = ProposalFlaw.TOO_MANY
        if flaw is None:
            sound.append(_with_its_bases(reflection, asked))
        else:
            dropped[flaw] += 1
    return sound, dropped


def _flaw(found: FoundReflection, shown: int) -> ProposalFlaw | None:
    if not found.content.strip():
        return ProposalFlaw.EMPTY
    if not all(1 <= number <= shown for number in found.rests_on):
        return ProposalFlaw.NO_SUCH_MEMORY
    if len(set(found.rests_on)) < LEAST_BASES:
        return ProposalFlaw.TOO_FEW_MEMORIES
    if states_rights_or_instructions(found.content):
        return ProposalFlaw.RIGHTS_OR_INSTRUCTIONS
    return None


def _with_its_bases(found: FoundReflection, asked: ReflectionRequested) -> ProposedReflection:
    # In the order of time, so that the latest of very many are kept.
    numbers = sorted(set(found.rests_on))[-MOST_BASES:]
    cited = [asked.memories[number - 1] for number in numbers]
    return ProposedReflection(
        kind=found.kind,
        content=found.content.strip(),
        rests_on=tuple(
            MemoryAtVersion(memory_id=memory.memory_id, version=memory.version) for memory in cited
        ),
    )


def _proposed(
    asked: ReflectionRequested,
    reflections: Sequence[ProposedReflection],
    provider: str,
    distillate: Distillate | None = None,
) -> ReflectionsProposed:
    return ReflectionsProposed(
        **build_answer_envelope(asked, ReflectionsProposed, provider),
        reflections=tuple(reflections),
        distillate=distillate,
    )
