"""What the finds of questions tell, with and without an answer among them: what a gate is fitted on."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.bench.figures import recall_at
from palimpsest.bench.gate_conversations import Asked, Messages
from palimpsest.bench.locomo import Dialogue, Question
from palimpsest.bench.recall import ANSWERABLE
from palimpsest.domain.ranking.gate import Gate, looked_at
from palimpsest.domain.ranking.openings import InCommon, Signals
from palimpsest.domain.ranking.overlap import overlap
from palimpsest.domain.ranking.policy import DIALOGUE
from palimpsest.domain.ranking.pool import Pool
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of

SIZES = (None, 40, 8)
"""Of the messages that are asked: all, as many as after a week, and as after the first talk."""

DEPTH = 10

LEAST_FINDS = 8
"""Of fewer nothing can be said of how far one stands out."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One question to one user, and what the finds tell."""

    user_id: str
    text: str
    asker: str | None
    """Whose question it is; None for nonsense."""
    size: int | None
    seen: Signals
    common: InCommon | None
    recall: float | None = None
    """Of an own question's evidence, the share among the first ten."""

    @property
    def own(self) -> bool:
        return self.asker == self.user_id

    @property
    def values(self) -> dict[str, float]:
        """By the names of the weights."""
        finds = math.log(max(self.seen.finds, LEAST_FINDS))
        if self.common is not None:
            return {
                "nearest": self.common.nearness,
                "agreement": self.common.agreement,
                "seen": self.common.seen,
                "finds": finds,
            }
        return {
            "nearest": self.seen.nearest,
            "above_all": self.seen.above_all,
            "above_fifth": self.seen.above_fifth,
            "coverage": self.seen.coverage,
            "lexical_gap": self.seen.lexical_gap,
            "agreement": self.seen.agreement,
            "finds": finds,
        }


def answerable(dialogue: Dialogue) -> list[Question]:
    return [one for one in dialogue.questions if one.evidence and one.category in ANSWERABLE]


def with_names_of(text: str, asker: Dialogue, user: Dialogue) -> str:
    """The question with the names of who speaks there for those of who speaks here."""
    for theirs, ours in zip(_speakers(asker), _speakers(user), strict=False):
        text = text.replace(theirs, ours)
    return text


def sample(
    gate: Gate,
    messages: Messages,
    asked: Asked,
    *,
    user_id: str,
    asker: str | None,
    size: int | None,
    evidence: Sequence[str] = (),
) -> Sample | None:
    """None where nothing at all was found."""
    matches = messages.search(asked)
    seen = gate.signals(matches, words=len(asked.terms))
    if seen is None:
        return None
    common = None
    if language_of(asked.text) is Language.CHINESE:
        shared = overlap(asked.rarities, messages.terms(looked_at(matches)))
        common = gate.in_common(matches, shared) if shared.of else None
    best = [one.id for one in Pool(matches, DIALOGUE).best(DEPTH)] if evidence else []
    return Sample(
        user_id=user_id,
        text=asked.text,
        asker=asker,
        size=size,
        seen=seen,
        common=common,
        recall=recall_at(best, evidence, DEPTH) if evidence else None,
    )


def _speakers(dialogue: Dialogue) -> Iterator[str]:
    yield from dict.fromkeys(turn.speaker for turn in dialogue.turns)
