"""What the finds of questions tell, with and without an answer among them: what a gate is fitted on."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from palimpsest.bench.figures import recall_at
from palimpsest.bench.gate_people import Person, others_questions
from palimpsest.bench.gate_remembered import Asked, Remembered
from palimpsest.domain.ranking.gate import Gate, looked_at
from palimpsest.domain.ranking.openings import InCommon, Signals
from palimpsest.domain.ranking.overlap import overlap
from palimpsest.domain.ranking.policy import DIALOGUE
from palimpsest.domain.ranking.pool import Pool
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of

SIZES = (None, 40, 8)
"""Of what is remembered: all, as much as after a week, and as after the first talk."""

DEPTH = 10

LEAST_FINDS = 8
"""Of fewer nothing can be said of how far one stands out."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One question to one user, and what the finds tell."""

    user: Person
    text: str
    own: bool
    nonsense: bool
    size: int | None
    seen: Signals
    common: InCommon | None
    recall: float | None = None
    """Of an own question's evidence, the share among the first ten."""

    @property
    def values(self) -> dict[str, float]:
        """By the names of the weights."""
        finds = math.log(max(self.seen.finds, LEAST_FINDS))
        of_either = {"finds": finds, "memory": float(self.seen.memory)}
        if self.common is not None:
            return {
                "nearest": self.common.nearness,
                "agreement": self.common.agreement,
                "seen": self.common.seen,
                **of_either,
            }
        return {
            "nearest": self.seen.nearest,
            "above_all": self.seen.above_all,
            "above_fifth": self.seen.above_fifth,
            "coverage": self.seen.coverage,
            "lexical_gap": self.seen.lexical_gap,
            "agreement": self.seen.agreement,
            **of_either,
        }


def samples(
    people: Sequence[Person], nonsense: Sequence[str], gate: Gate, ask: Callable[[str], Asked]
) -> Iterator[Sample]:
    """Everybody's own questions, those of the others and nonsense, in each of the sizes."""
    for user in people:
        whole = user.remembered
        for size in SIZES:
            if size is not None and size >= len(whole):
                continue
            some = whole.some(size, (), f"{user.id} {size}")
            own = [
                sample(
                    gate,
                    whole.some(size, asked.evidence, f"{user.id} {asked.text}"),
                    ask(asked.text),
                    user=user,
                    size=size,
                    evidence=asked.evidence,
                )
                for asked in user.questions
            ]
            others = [
                sample(gate, some, ask(asked.text), user=user, size=size)
                for asked in others_questions(user, people)
            ]
            strange = [
                sample(gate, some, ask(text), user=user, size=size, nonsense=True)
                for text in nonsense
            ]
            yield from (one for one in (*own, *others, *strange) if one is not None)


def sample(
    gate: Gate,
    remembered: Remembered,
    asked: Asked,
    *,
    user: Person,
    size: int | None,
    nonsense: bool = False,
    evidence: Sequence[str] = (),
) -> Sample | None:
    """None where nothing at all was found."""
    matches = remembered.search(asked)
    seen = gate.signals(matches, words=len(asked.terms))
    if seen is None:
        return None
    common = None
    if language_of(asked.text) is Language.CHINESE:
        shared = overlap(asked.rarities, remembered.terms(looked_at(matches)))
        common = gate.in_common(matches, shared) if shared.of else None
    best = [one.id for one in Pool(matches, DIALOGUE).best(DEPTH)] if evidence else []
    return Sample(
        user=user,
        text=asked.text,
        own=bool(evidence),
        nonsense=nonsense,
        size=size,
        seen=seen,
        common=common,
        recall=recall_at(best, evidence, DEPTH) if evidence else None,
    )
