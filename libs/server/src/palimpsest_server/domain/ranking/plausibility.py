"""Plausibility of a text: how much, by meaning alone, it resembles what people say of their lives.

Fluent nonsense is near to something in every conversation, because its words are common. Independently
of any hits, an embedding model places what people say and what nobody can mean on different sides
of a plane.
"""

from collections.abc import Sequence

from palimpsest.model.value_types import Value
from palimpsest.model.vectors import dot

MINIMUM_PLAUSIBILITY, MAXIMUM_PLAUSIBILITY = -3.0, 2.0
"""Bounds of the plausibility: a near answer opens the gate however odd the question is, and a plain
question opens nothing by itself."""


class PlausibilityPlane(Value):
    """The plane of one model: a logistic regression on embeddings, so the plausibility is in nats."""

    constant: float
    direction: tuple[float, ...]
    """Normal vector of the plane; empty if every text is equally plausible."""

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
"""A plane that gives every text the same plausibility."""
