"""One memory made of several, as it is proposed before it has its vectors."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from palimpsest.domain.evolution import evidence
from palimpsest.domain.kinds import Kind, Lifetime
from palimpsest.domain.memory import Candidate, Memory, Source
from palimpsest.domain.scope import Scope
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of, summarised
from palimpsest.model.distillate import Basis, Distillate

_LONGEST_LIVED = (Lifetime.TEMPORARY, Lifetime.WORKING, Lifetime.CORE)


def distillate(  # noqa: PLR0913 - what the memories together do not say
    memories: Sequence[Memory],
    *,
    id: str,  # noqa: A002 - it is the candidate's
    content: str,
    kind: Kind,
    scope: Scope,
    source: Source,
    importance: float,
    confidence: float,
    lifetime: Lifetime,
    replaces: bool,
) -> Distillate:
    """What rests on all of these: their evidence, tags and entities together."""
    return Distillate(
        candidate=Candidate(
            id=id,
            scope=scope,
            kind=kind,
            content=content,
            summary=summarised(content),
            importance=importance,
            confidence=round(confidence, 6),
            lifetime=lifetime,
            source=source,
            tags=_united(one.tags for one in memories),
            entities=_united(one.entities for one in memories),
            language=language_of(content),
            occurred_at=min(one.occurred_at for one in memories),
            valid_from=min(one.valid_from for one in memories),
            evidence=evidence.united(piece for one in memories for piece in evidence.stamped(one)),
        ),
        rests_on=tuple(Basis(memory_id=one.id, version=one.version) for one in memories),
        replaces=replaces,
    )


def mean_confidence(memories: Iterable[Memory]) -> float:
    return fmean(one.confidence for one in memories)


def longest_lifetime(memories: Iterable[Memory]) -> Lifetime:
    return max((one.lifetime for one in memories), key=_LONGEST_LIVED.index)


def common_language(memories: Sequence[Memory]) -> Language:
    """That of most of them; Chinese where it is even."""
    chinese = sum(language_of(one.content) is Language.CHINESE for one in memories)
    return Language.CHINESE if chinese * 2 >= len(memories) else Language.ENGLISH


def _united(words: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({word for own in words for word in own}))
