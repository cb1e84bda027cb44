"""Distil one memory from several; it has no vectors yet."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.distillate import Distillate
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, MemoryAtVersion, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_server.domain.consolidation.unite_memories import unite_fields

_LONGEST_LIVED = (Lifetime.TEMPORARY, Lifetime.WORKING, Lifetime.CORE)


def build_distillate(  # noqa: PLR0913 - what the memories together do not say
    memories: Sequence[Memory],
    *,
    id: str,  # noqa: A002 - it is the candidate's
    content: str,
    kind: Kind,
    scope: Scope,
    source: MemorySource,
    importance: float,
    confidence: float,
    lifetime: Lifetime,
    replaces: bool,
) -> Distillate:
    """Build the distillate that rests on all of these memories.

    Fields that are not given are united from the memories, by the rule of each field.
    """
    united = unite_fields(memories)
    return Distillate(
        candidate=Candidate.model_validate(
            {
                **{name: united[name] for name in united.keys() & Candidate.model_fields.keys()},
                "id": id,
                "scope": scope,
                "kind": kind,
                "content": content,
                "summary": shorten_to_summary(content),
                "importance": importance,
                "confidence": round(confidence, 6),
                "lifetime": lifetime,
                "source": source,
                "language": detect_language(content),
            }
        ),
        rests_on=tuple(
            MemoryAtVersion(memory_id=memory.id, version=memory.version) for memory in memories
        ),
        replaces=replaces,
    )


def mean_confidence(memories: Iterable[Memory]) -> float:
    return fmean(memory.confidence for memory in memories)


def longest_lifetime(memories: Iterable[Memory]) -> Lifetime:
    return max((memory.lifetime for memory in memories), key=_LONGEST_LIVED.index)


def common_language(memories: Sequence[Memory]) -> Language:
    """Return the language of most memories; Chinese if both are equally frequent."""
    chinese = sum(detect_language(memory.content) is Language.CHINESE for memory in memories)
    return Language.CHINESE if chinese * 2 >= len(memories) else Language.ENGLISH
