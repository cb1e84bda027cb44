"""From what finds tell to whether the gate opens: weights of one model for a language.

The weights of each model stand in `fitted_gates/`; `palimpsest bench fit-gate` writes them.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.model.value_types import Value
from palimpsest_server.domain.ranking.plausibility import NO_PLAUSIBILITY_PLANE, PlausibilityPlane
from palimpsest_server.domain.ranking.term_overlap import SharedTerms

OPENS_FROM_COVERAGE = 0.9
"""A find that shares nearly every word of the question, and rare ones, is about the same thing."""


class GateSignals(NamedTuple):
    """What the finds of one question tell about its being answered among them.

    Words are counted in those that stand in one text alone: a common one is less.
    """

    nearest: float
    """Deviations of the nearest find."""
    above_all: float
    """By how many deviations it stands above the average find."""
    above_fifth: float
    """By how many above the fifth."""
    coverage: float
    """Words that the find with most of them shares with the question, for each word of that."""
    lexical_gap: float
    """By how many words that find is ahead of the fifth."""
    agreement: float
    """Its deviations."""
    finds: int
    """How many there were to find, as far as was looked."""
    memory: bool
    """Whether the nearest find is a memory, which says in few words what a message says among others."""
    memories_alone: bool
    """Whether all of them are."""


class GateWeights(Value):
    """What speaks for an answer, weighed, and from how much on the gate opens."""

    constant: float
    nearest: float
    above_all: float
    above_fifth: float
    coverage: float
    lexical_gap: float
    agreement: float
    finds: float
    """Of the logarithm of their number: among many texts some come near to anything."""
    memory: float = 0.0
    """That the nearest is a memory."""
    says: float = 0.0
    """Of how much the question itself speaks of a life."""
    fewest: int
    """Of fewer finds nothing can be said of how far one stands out."""
    opens_from: float
    """Of the evidence; higher refuses more."""
    opens_among_memories: float
    """The same where nothing but memories was found: the few words of one are often others than
    those of the question that it answers."""
    opens_from_deviations: float
    """So near by meaning alone, a paraphrase in other words or in another language."""
    opens_among_few: float
    """The same where there are fewer than the fewest: of so few that are alike none stands out."""
    relevant_deviations: float
    """From which on nine finds in ten matter to the question."""

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
        """By how much the gate is open; below 0 by how much it is not."""
        return max(self.evidence(seen, says) - _least(self, seen), self.outright(seen))

    def outright(self, seen: GateSignals) -> float:
        """The same by what opens it whatever else speaks against it."""
        return max(_by_nearness(self, seen), seen.coverage - OPENS_FROM_COVERAGE)


class ChineseGateWeights(Value):
    """The same for Chinese questions, which are held against the characters of the finds too."""

    constant: float
    nearest: float
    """Of the find that is nearest by meaning, words and characters together."""
    agreement: float
    """Of the deviations of a find times the share of the question's characters in it."""
    seen: float
    """Of the share of the question's characters that stand anywhere among the best finds."""
    finds: float
    """Of the logarithm of their number."""
    memory: float = 0.0
    """That the nearest is a memory."""
    says: float = 0.0
    """Of how much the question itself speaks of a life."""
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
        """By how much the gate is open; below 0 by how much it is not."""
        return max(self.evidence(seen, common, says) - _least(self, seen), self.outright(seen))

    def outright(self, seen: GateSignals) -> float:
        """The same by what opens it whatever else speaks against it."""
        return _by_nearness(self, seen)


def _least(opening: GateWeights | ChineseGateWeights, seen: GateSignals) -> float:
    """Of the evidence, so that it opens."""
    return opening.opens_among_memories if seen.memories_alone else opening.opens_from


def _by_nearness(opening: GateWeights | ChineseGateWeights, seen: GateSignals) -> float:
    few = seen.finds < opening.fewest
    return seen.nearest - (opening.opens_among_few if few else opening.opens_from_deviations)


WORD_DEVIATIONS, CHARACTER_DEVIATIONS = 4.0, 6.0
"""What sharing every word, and every character of them, counts for beside nearness in meaning."""


class WeighedOverlap(NamedTuple):
    """What a Chinese question has in common with its best finds."""

    nearness: float
    """In deviations: of the find that is nearest by meaning, words and characters together."""
    agreement: float
    """The most that any has of its deviations times the share of the question's characters in it."""
    seen: float
    """The share of the question's characters that stand in any."""


def weigh_overlap(finds: Sequence[tuple[float, SharedTerms]], seen: float) -> WeighedOverlap:
    """Of finds with these deviations and shares, one at least."""
    return WeighedOverlap(
        nearness=max(
            deviations + WORD_DEVIATIONS * shared.words + CHARACTER_DEVIATIONS * shared.characters
            for deviations, shared in finds
        ),
        agreement=max(max(deviations, 0.0) * shared.characters for deviations, shared in finds),
        seen=seen,
    )


class CrossScriptWeights(Value):
    """Of a question whose nearest find is in the other script: words tell nothing, for none is shared."""

    opens_from_deviations: float
    """So near by meaning among the fewest finds."""
    finds: float
    """How much nearer, for each e times as many as those: among many some come near to anything."""
    fewest: int
    says_from: float
    """What nobody can mean comes as near as that; so the question must speak of a life by itself."""

    def margin(self, seen: GateSignals, says: float) -> float:
        """By how much the gate is open; below 0 by how much it is not."""
        farther = self.finds * math.log(max(seen.finds, self.fewest) / self.fewest)
        return min(seen.nearest - self.opens_from_deviations - farther, says - self.says_from)


class FittedGate(Value):
    """What opens the gate of one model."""

    sense: PlausibilityPlane = NO_PLAUSIBILITY_PLANE
    """One plane for both languages: a model places what they say alike side by side."""
    english: GateWeights
    chinese: ChineseGateWeights
    across: CrossScriptWeights | None = None
    """None: questions in another script than what is remembered are judged like all others."""
