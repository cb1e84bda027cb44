"""Weights by which search hits open the gate, for one embedding model and language.

The weights of each model are in `fitted_gates/`; `palimpsest bench fit-gate` writes them.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.model.value_types import Value
from palimpsest_server.domain.ranking.plausibility import NO_PLAUSIBILITY_PLANE, PlausibilityPlane
from palimpsest_server.domain.ranking.term_overlap import SharedTerms

OPENS_FROM_COVERAGE = 0.9
"""A hit that shares nearly every word of the question, and rare ones, is about the same thing."""


class GateSignals(NamedTuple):
    """Signals of the hits of one question, from which the gate tells whether they answer it.

    A word counts 1 if only one text has it, and less the more common it is.
    """

    nearest: float
    """Deviations of the nearest hit."""
    above_all: float
    """Deviations between the nearest and the average hit."""
    above_fifth: float
    """Deviations between the nearest and the fifth hit."""
    coverage: float
    """Share of the question's words in the hit that has most of them."""
    lexical_gap: float
    """Words that this hit shares beyond those of the fifth."""
    agreement: float
    """Deviations of that hit."""
    finds: int
    """Number of hits, as far as the search went."""
    memory: bool
    """True if the nearest hit is a memory, which has fewer words than a message."""
    memories_alone: bool
    """True where all hits are memories."""


class GateWeights(Value):
    """Weights of the signals and the thresholds of the gate, for English questions."""

    constant: float
    nearest: float
    above_all: float
    above_fifth: float
    coverage: float
    lexical_gap: float
    agreement: float
    finds: float
    """Weight of the logarithm of the number of hits: among many texts some are near to any question."""
    memory: float = 0.0
    """Weight of the nearest hit being a memory."""
    says: float = 0.0
    """Weight of the plausibility of the question."""
    fewest: int
    """Fewest hits among which a hit can stand out."""
    opens_from: float
    """Threshold of the evidence; higher refuses more."""
    opens_among_memories: float
    """Threshold if only memories were found, because their few words often differ from the
    question's."""
    opens_from_deviations: float
    """Deviations from which meaning alone opens the gate, as for a paraphrase in another language."""
    opens_among_few: float
    """The same with fewer hits than `fewest`, where none can stand out."""
    relevant_deviations: float
    """Deviations from which nine hits in ten are relevant to the question."""

    def evidence(self, seen: GateSignals, says: float = 0.0) -> float:
        return (
            self.constant
            + self.nearest * seen.nearest
            + self.above_all * seen.above_all
            + self.above_fifth * seen.above_fifth
            + self.coverage * seen.coverage
            + self.lexical_gap * seen.lexical_gap
            + self.agreement * seen.agreement
            + self.finds * math.log(max(seen.finds, self.fewest))
            + self.memory * seen.memory
            + self.says * says
        )

    def margin(self, seen: GateSignals, says: float = 0.0) -> float:
        """Return the distance from the threshold; the gate is open from 0 on."""
        return max(self.evidence(seen, says) - _least(self, seen), self.outright(seen))

    def outright(self, seen: GateSignals) -> float:
        """Return the distance from the threshold by signals that open the gate whatever else speaks against it."""
        return max(_by_nearness(self, seen), seen.coverage - OPENS_FROM_COVERAGE)


class ChineseGateWeights(Value):
    """Weights and thresholds for Chinese questions, which are compared by characters too."""

    constant: float
    nearest: float
    """Weight of the hit that is nearest by meaning, words and characters together."""
    agreement: float
    """Weight of a hit's deviations times the share of the question's characters in it."""
    seen: float
    """Weight of the share of the question's characters that occur in any of the best hits."""
    finds: float
    """Weight of the logarithm of the number of hits."""
    memory: float = 0.0
    """Weight of the nearest hit being a memory."""
    says: float = 0.0
    """Weight of the plausibility of the question."""
    fewest: int
    opens_from: float
    opens_among_memories: float
    opens_from_deviations: float
    opens_among_few: float
    relevant_deviations: float

    def evidence(self, seen: GateSignals, common: "WeighedOverlap", says: float = 0.0) -> float:
        return (
            self.constant
            + self.nearest * common.nearness
            + self.agreement * common.agreement
            + self.seen * common.seen
            + self.finds * math.log(max(seen.finds, self.fewest))
            + self.memory * seen.memory
            + self.says * says
        )

    def margin(self, seen: GateSignals, common: "WeighedOverlap", says: float = 0.0) -> float:
        """Return the distance from the threshold; the gate is open from 0 on."""
        return max(self.evidence(seen, common, says) - _least(self, seen), self.outright(seen))

    def outright(self, seen: GateSignals) -> float:
        """Return the distance from the threshold by signals that open the gate whatever else speaks against it."""
        return _by_nearness(self, seen)


def _least(opening: GateWeights | ChineseGateWeights, seen: GateSignals) -> float:
    """Return the evidence from which the gate opens."""
    return opening.opens_among_memories if seen.memories_alone else opening.opens_from


def _by_nearness(opening: GateWeights | ChineseGateWeights, seen: GateSignals) -> float:
    few = seen.finds < opening.fewest
    return seen.nearest - (opening.opens_among_few if few else opening.opens_from_deviations)


WORD_DEVIATIONS, CHARACTER_DEVIATIONS = 4.0, 6.0
"""Deviations that a full share of the words, and of their characters, adds to nearness."""


class WeighedOverlap(NamedTuple):
    """Overlap of a Chinese question with its best hits."""

    nearness: float
    """Deviations of the hit that is nearest by meaning, words and characters together."""
    agreement: float
    """Greatest product of a hit's deviations and the share of the question's characters in it."""
    seen: float
    """Share of the question's characters that occur in any hit."""


def weigh_shared_terms(shared: SharedTerms) -> float:
    """Return the deviations that terms shared with the question add to nearness."""
    return WORD_DEVIATIONS * shared.words + CHARACTER_DEVIATIONS * shared.characters


def weigh_overlap(finds: Sequence[tuple[float, SharedTerms]], seen: float) -> WeighedOverlap:
    """Weigh hits, at least one, each given by its deviations and its shares of the question."""
    return WeighedOverlap(
        nearness=max(deviations + weigh_shared_terms(shared) for deviations, shared in finds),
        agreement=max(max(deviations, 0.0) * shared.characters for deviations, shared in finds),
        seen=seen,
    )


class CrossScriptWeights(Value):
    """Weights for a question whose nearest hit is in the other script, so that they share no word."""

    opens_from_deviations: float
    """Deviations from which the gate opens with the fewest hits."""
    finds: float
    """Additional deviations for each factor e of hits: among many some are near to any question."""
    fewest: int
    says_from: float
    """Plausibility from which the gate opens, because nonsense is as near as that."""

    def margin(self, seen: GateSignals, says: float) -> float:
        """Return the distance from the threshold; the gate is open from 0 on."""
        farther = self.finds * math.log(max(seen.finds, self.fewest) / self.fewest)
        return min(seen.nearest - self.opens_from_deviations - farther, says - self.says_from)


class FittedGate(Value):
    """Fitted weights of the gate of one embedding model."""

    sense: PlausibilityPlane = NO_PLAUSIBILITY_PLANE
    """Plane of both languages: a model places equal statements of both side by side."""
    english: GateWeights
    chinese: ChineseGateWeights
    across: CrossScriptWeights | None = None
    """Weights across scripts; None judges such questions like all others."""
