"""Embedders by the name in the settings."""

from palimpsest.providers.embedding import Embedder


def embedder_named(name: str, *, batch_texts: int) -> Embedder:
    """The embedder of this name, not yet started.

    `batch_texts` texts at most go to a local model's child process, or to a
    remote service, at once.

    Raises:
        PermanentError: no embedder has that name.
    """
    if name == "hashing":
        from palimpsest.providers.hashing import HashingEmbedder  # noqa: PLC0415 - for tests

        return HashingEmbedder()
    from palimpsest.providers.local_embedder import LocalEmbedder  # noqa: PLC0415 - loads numpy

    return LocalEmbedder(name, batch_texts=batch_texts)
