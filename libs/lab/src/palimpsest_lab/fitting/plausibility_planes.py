"""The plane of a model: what people say and ask, in both languages, against nonsense."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from palimpsest_lab.fitting.gate_memories import Vector
from palimpsest_lab.fitting.gate_people import GatePerson
from palimpsest_lab.fitting.logistic_regression import Numbers, fit_logistic_regression
from palimpsest_server.domain.ranking.plausibility import PlausibilityPlane
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder

RIDGE = 0.3
MESSAGES = 40
"""Of each conversation, among what makes sense."""
KEYWORDS = 3
WEIGHT = 400.0
"""Of either side, however many texts it has."""


class PlausibilityPlanes:
    """Planes that are fitted on some of the texts, for those that stand apart."""

    def __init__(
        self,
        sensible: Mapping[str, int],
        nonsense: Mapping[str, int],
        embed: Callable[[str], Vector],
    ) -> None:
        """Texts with the fold that each stands in, and how a question is embedded."""
        self._sensible, self._nonsense, self._embed = sensible, nonsense, embed
        self._planes: dict[frozenset[int], PlausibilityPlane] = {}

    def without(self, apart: frozenset[int]) -> PlausibilityPlane:
        """Fitted on all folds but these."""
        if apart not in self._planes:
            self._planes[apart] = fit_plausibility_plane(
                self._embedded(self._sensible, apart), self._embedded(self._nonsense, apart)
            )
        return self._planes[apart]

    def _embedded(self, fold_of: Mapping[str, int], apart: frozenset[int]) -> Numbers:
        texts = [text for text, fold in fold_of.items() if fold not in apart]
        return np.array([self._embed(text) for text in texts], dtype=np.float64)


def fit_plausibility_plane(said: Numbers, nonsense: Numbers) -> PlausibilityPlane:
    """Fit a plane with equal weight on either side, scaled by the spread of the model's embeddings."""
    texts = np.concatenate([said, nonsense])
    average = texts.mean(axis=0)
    spread = float(np.sqrt(((texts - average) ** 2).sum(axis=1).mean()))
    positive = np.concatenate([np.ones(len(said)), np.zeros(len(nonsense))])
    evenly = np.where(positive == 1.0, WEIGHT / 2 / len(said), WEIGHT / 2 / len(nonsense))
    constant, found = fit_logistic_regression(
        (texts - average) / spread, positive, evenly, ridge=RIDGE
    )
    direction = np.round(found / spread, 3)
    return PlausibilityPlane(
        constant=round(constant - float(direction @ average), 3),
        direction=tuple(direction.tolist()),
    )


def collect_sensible_texts(people: Iterable[GatePerson]) -> Iterator[tuple[str, GatePerson]]:
    """Yield what people ask, as sentences and as search words, and what they say."""
    encoder = get_sparse_encoder()
    for person in people:
        for asked in person.questions:
            yield asked.text, person
            if words := list(encoder.words(asked.text))[:KEYWORDS]:
                yield " ".join(words), person
        yield from ((text, person) for text in _some(person.said))


def _some(said: Sequence[str]) -> Sequence[str]:
    return said[:: max(1, len(said) // MESSAGES)][:MESSAGES]
