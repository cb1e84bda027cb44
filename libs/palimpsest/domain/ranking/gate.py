"""Whether anything found is near enough to be worth returning.

Ranks and fused scores say which find is best, never whether it is any good. The
gate looks at what does: the similarity as the model gave it, against what that
model gives to strangers, or a word in common that carries meaning.
"""

from collections.abc import Sequence
from statistics import fmean, pstdev

from palimpsest.domain.model import Value
from palimpsest.domain.ranking.pool import Match

OPENS_AT_DEVIATIONS = 5.0
"""By meaning alone a question is answered only where hardly one stranger in a million comes as
near: made-up words reached 4.6 deviations among 3,000 messages, paraphrases are beyond 6."""

KEEPS_FROM_DEVIATIONS = 1.0
"""Once something is near, what five in six strangers do not reach may come along."""


class Gate(Value):
    """Two similarities of one embedding model; cosines of two models do not compare."""

    opens_at: float
    """A find this near, or one with a word in common, shows that the question was understood."""
    keeps_from: float
    """With neither this similarity nor a word in common a find is left out."""

    def admit(self, matches: Sequence[Match]) -> list[Match]:
        """The finds worth ranking; none at all when the question meets nothing."""
        if not any(self._opens(match) for match in matches):
            return []
        return [match for match in matches if self._keeps(match)]

    def _opens(self, match: Match) -> bool:
        return _shares_a_word(match) or (match.cosine or 0.0) >= self.opens_at

    def _keeps(self, match: Match) -> bool:
        return _shares_a_word(match) or (match.cosine or 0.0) >= self.keeps_from


def says_something(question: str) -> bool:
    """Whether there is a letter or a digit in it; models find likenesses in mere punctuation."""
    return any(character.isalnum() for character in question)


def calibrated(stranger_cosines: Sequence[float]) -> Gate:
    """The gate of a model, from its similarities of questions to texts that do not answer them.

    Raises:
        ValueError: no similarities were given.
    """
    if not stranger_cosines:
        raise ValueError("a gate needs similarities to be calibrated on")
    average, spread = fmean(stranger_cosines), pstdev(stranger_cosines)
    return Gate(
        opens_at=average + OPENS_AT_DEVIATIONS * spread,
        keeps_from=average + KEEPS_FROM_DEVIATIONS * spread,
    )


def _shares_a_word(match: Match) -> bool:
    # Stop words are in no sparse vector, so any score at all is a word with meaning.
    return match.lexical is not None and match.lexical > 0.0
