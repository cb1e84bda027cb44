"""Whether anything found is near enough to be worth returning.

Ranks and fused scores say which find is best, never whether it is any good. The
gate looks at what does: the similarity as the model gave it, against what that
model gives to strangers, or a word in common that carries meaning.
"""

from collections.abc import Sequence

from palimpsest.domain.model import Value
from palimpsest.domain.ranking.pool import Match

OPENS_AT_QUANTILE = 0.995
"""A question is answered by meaning alone only where hardly any stranger comes as near."""

KEEPS_FROM_QUANTILE = 0.8
"""Once something is near, what four in five strangers do not reach may come along."""


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


def calibrated(stranger_cosines: Sequence[float]) -> Gate:
    """The gate of a model, from its similarities of questions to texts that do not answer them.

    Raises:
        ValueError: no similarities were given.
    """
    if not stranger_cosines:
        raise ValueError("a gate needs similarities to be calibrated on")
    ascending = sorted(stranger_cosines)
    return Gate(
        opens_at=_quantile(ascending, OPENS_AT_QUANTILE),
        keeps_from=_quantile(ascending, KEEPS_FROM_QUANTILE),
    )


def _shares_a_word(match: Match) -> bool:
    # Stop words are in no sparse vector, so any score at all is a word with meaning.
    return match.lexical is not None and match.lexical > 0.0


def _quantile(ascending: Sequence[float], share: float) -> float:
    return ascending[min(len(ascending) - 1, int(share * len(ascending)))]
