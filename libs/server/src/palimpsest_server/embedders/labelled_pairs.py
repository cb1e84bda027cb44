"""Labelled pairs of statements, as JSON lines: `{"one": …, "other": …, "same": true}`."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from palimpsest.model.errors import PermanentError
from palimpsest.model.vectors import EmbeddableText, cosine
from palimpsest_server.domain.compression.merge_calibration import CalibrationPair
from palimpsest_server.embedders.embedder import Embedder

BUNDLED_PAIRS = Path(__file__).with_name("data") / "pairs.jsonl"
"""120 pairs, half Chinese and half English, half the same and half not."""


class LabelledPair(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    one: str
    other: str
    same: bool


def read_labelled_pairs(path: Path) -> list[LabelledPair]:
    """Read the pairs of a file, one on each line.

    Raises:
        PermanentError: a line is no pair.
    """
    pairs = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            pairs.append(LabelledPair.model_validate_json(line))
        except ValidationError:
            raise PermanentError(
                f"line {number} of {path} is no pair: it needs "
                + json.dumps({"one": "…", "other": "…", "same": True}, ensure_ascii=False)
            ) from None
    return pairs


async def measure_pair_cosines(
    pairs: Sequence[LabelledPair], embedder: Embedder
) -> list[CalibrationPair]:
    """Measure the cosine of each pair with a started embedder."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
    vectors = await embedder.embed_documents(
        [EmbeddableText(dense=text, sparse=text) for text in texts]
    )
    dense = {text: vector.dense_values() for text, vector in zip(texts, vectors, strict=True)}
    return [
        CalibrationPair(pair.one, pair.other, cosine(dense[pair.one], dense[pair.other]), pair.same)
        for pair in pairs
    ]
