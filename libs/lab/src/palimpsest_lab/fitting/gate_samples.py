"""Sample the finds of questions with and without an answer, for fitting a gate."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.user import Language
from palimpsest_lab.fitting.gate_memories import EmbeddedMemories, EmbeddedQuestion
from palimpsest_lab.fitting.gate_people import GatePerson, collect_others_questions
from palimpsest_lab.reporting.statistics import compute_recall_at
from palimpsest_server.domain.ranking.gate_weights import GateSignals, WeighedOverlap
from palimpsest_server.domain.ranking.match_pool import MatchPool
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE
from palimpsest_server.domain.ranking.relevance_gate import Gate, select_compared_finds
from palimpsest_server.domain.ranking.term_overlap import measure_overlap

SAMPLED_MEMORY_COUNTS = (None, 40, 8)
"""Of what is remembered: all, as much as after a week, and as after the first talk."""

DEPTH = 10

MINIMUM_HITS = 8
"""Of fewer nothing can be said of how far one stands out."""


@dataclass(frozen=True, kw_only=True)
class GateSample:
    """One question to one user, and the features of its finds."""

    user: GatePerson
    text: str
    own: bool
    nonsense: bool
    size: int | None
    seen: GateSignals
    common: WeighedOverlap | None
    recall: float | None = None
    """Of an own question's evidence, the share among the first ten."""

    @property
    def values(self) -> dict[str, float]:
        """Return the features by the names of the weights."""
        finds = math.log(max(self.seen.finds, MINIMUM_HITS))
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


def collect_gate_samples(
    people: Sequence[GatePerson],
    nonsense: Sequence[str],
    gate: Gate,
    ask: Callable[[str], EmbeddedQuestion],
) -> Iterator[GateSample]:
    """Everybody's own questions, those of the others and nonsense, in each of the sizes."""
    for user in people:
        whole = user.remembered
        for size in SAMPLED_MEMORY_COUNTS:
            if size is not None and size >= len(whole):
                continue
            some = whole.some(size, (), f"{user.id} {size}")
            own = [
                build_gate_sample(
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
                build_gate_sample(gate, some, ask(asked.text), user=user, size=size)
                for asked in collect_others_questions(user, people)
            ]
            strange = [
                build_gate_sample(gate, some, ask(text), user=user, size=size, nonsense=True)
                for text in nonsense
            ]
            yield from (sample for sample in (*own, *others, *strange) if sample is not None)


def build_gate_sample(
    gate: Gate,
    remembered: EmbeddedMemories,
    asked: EmbeddedQuestion,
    *,
    user: GatePerson,
    size: int | None,
    nonsense: bool = False,
    evidence: Sequence[str] = (),
) -> GateSample | None:
    """None where nothing at all was found."""
    matches = remembered.search(asked)
    seen = gate.signals(matches, words=len(asked.terms))
    if seen is None:
        return None
    common = None
    if detect_language(asked.text) is Language.CHINESE:
        shared = measure_overlap(asked.rarities, remembered.terms(select_compared_finds(matches)))
        common = gate.in_common(matches, shared) if shared.of else None
    best = [one.id for one in MatchPool(matches, DIALOGUE).select_best(DEPTH)] if evidence else []
    return GateSample(
        user=user,
        text=asked.text,
        own=bool(evidence),
        nonsense=nonsense,
        size=size,
        seen=seen,
        common=common,
        recall=compute_recall_at(best, evidence, DEPTH) if evidence else None,
    )
