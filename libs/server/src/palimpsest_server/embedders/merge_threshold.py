"""The cosine from which two memories may be the same, for the embedding model in use.

It comes from the settings or from the built-in table, or is measured on the bundled pairs once the model
answers.
"""

from collections.abc import Mapping

import structlog

from palimpsest_server.domain.compression.merge_calibration import calibrate_merge_threshold
from palimpsest_server.domain.compression.merge_thresholds import (
    get_merge_threshold,
    is_measurable,
)
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.labelled_pairs import (
    BUNDLED_PAIRS,
    measure_pair_cosines,
    read_labelled_pairs,
)

_log = structlog.get_logger("palimpsest.embedding")


class MergeThreshold:
    """The threshold: read `value` at any time; `measure` measures it if it is unknown."""

    def __init__(self, embedder: Embedder, measured: Mapping[str, float]) -> None:
        """`measured` holds this installation's thresholds, by the slug of the model."""
        self._embedder = embedder
        self._value = get_merge_threshold(embedder.model.slug, measured)

    @property
    def value(self) -> float | None:
        """The threshold; None while it is unknown, and then no memories are compared."""
        return self._value

    async def measure(self) -> None:
        """Measure the threshold if it is unknown and can be measured, with about 240 embeddings.

        Raises:
            TransientError: the model is not available now.
        """
        slug = self._embedder.model.slug
        if self._value is not None or not is_measurable(slug):
            return
        pairs = await measure_pair_cosines(read_labelled_pairs(BUNDLED_PAIRS), self._embedder)
        found = calibrate_merge_threshold(pairs)
        self._value = found.threshold
        _log.info(
            "the embedding model was calibrated",
            model=slug,
            merges_from=found.threshold,
            merged_rightly=found.merged_rightly,
            merged_wrongly=found.merged_wrongly,
        )
