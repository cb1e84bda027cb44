"""The cosine from which two memories may be one, for the embedding model in use.

It comes from the settings, or with us, or is measured on the bundled pairs once the model answers.
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
    """Read `value` at any time; `measure` finds it out where nobody knows it."""

    def __init__(self, embedder: Embedder, measured: Mapping[str, float]) -> None:
        """`measured` is set for this installation, by the slug of the model."""
        self._embedder = embedder
        self._value = get_merge_threshold(embedder.model.slug, measured)

    @property
    def value(self) -> float | None:
        """None while it is not known: nothing is compared until then."""
        return self._value

    async def measure(self) -> None:
        """Measure it if it is not known and can be, by some 240 embeddings.

        Raises:
            TransientError: the model is not to be had right now.
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
