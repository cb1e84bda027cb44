"""The child process that embeds documents: `python -m palimpsest.providers.embedding_child NAME`.

Reads batches of texts from its standard input and writes their vectors to its
standard output, in order. It ends when its input does, so that it never
outlives whoever started it, however they died.
"""

import os
import signal
import sys
from typing import IO, Any

from palimpsest.contracts.vectors import TextVectors
from palimpsest.providers import frames
from palimpsest.providers.dense import DenseModel
from palimpsest.providers.local_models import dense_model_named
from palimpsest.providers.sparse import SparseEncoder, sparse_encoder


def main() -> None:
    # A library that prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # Ctrl-C reaches the whole process group; the parent decides when to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    dense, sparse = dense_model_named(sys.argv[1]), sparse_encoder()
    try:
        _send(answers, {"ready": dense.identity.slug})
        while True:
            _send(answers, _answer(frames.read(sys.stdin.buffer), dense, sparse))
    except (EOFError, BrokenPipeError):
        # Not sys.exit: flushing a pipe that nobody reads would complain.
        os._exit(0)


def _answer(texts: list[tuple[str, str]], dense: DenseModel, sparse: SparseEncoder) -> Any:
    try:
        vectors = dense.documents([text for text, _ in texts])
        packed = [
            TextVectors.pack("", vector, sparse.document(words))
            for vector, (_, words) in zip(vectors, texts, strict=True)
        ]
    except Exception as error:  # noqa: BLE001 - whatever it was, the parent must be told
        return {"error": type(error).__name__}
    return {"vectors": [(one.dense, one.sparse_indices, one.sparse_values) for one in packed]}


def _send(stream: IO[bytes], message: Any) -> None:
    stream.write(frames.packed(message))
    stream.flush()


if __name__ == "__main__":
    main()
