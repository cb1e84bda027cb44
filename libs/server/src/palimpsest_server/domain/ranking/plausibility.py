"""Plausibility of a text: how much, by meaning alone, it is such as people say of their lives.

Fluent nonsense lies near to something in every conversation, for its words are
common ones. Apart from all finds, an embedding model places what people say and
what nobody can mean on different sides of a plane.
"""

from collections.abc import Sequence

from palimpsest.model.value_types import Value
from palimpsest.model.vectors import dot

MINIMUM_PLAUSIBILITY, MAXIMUM_PLAUSIBILITY = -3.0, 2.0
"""Bounds of the plausibility: what is near to an answer opens the gate however oddly it is put,
and what is plainly put opens nothing by itself."""


class PlausibilityPlane(Value):
    """The plane of one model: a logistic regression on embeddings, so the sense is in nats."""

    constant: float
    direction: tuple[float, ...]
    """Empty: every text says as much."""

    def of(self, text: Sequence[float]) -> float:
        """Return the plausibility of a text with this embedding, from -3 (hardly sayable) to 2.

        Raises:
            ValueError: the embedding is of another dimension.
        """
        found = 0.0
        if self.direction:
            found = dot(self.direction, text)
        return min(max(self.constant + found, MINIMUM_PLAUSIBILITY), MAXIMUM_PLAUSIBILITY)


NO_PLAUSIBILITY_PLANE = PlausibilityPlane(constant=0.0, direction=())
"""Nothing is told from the text alone."""
