"""Embedders by the name in the settings."""

from dataclasses import dataclass

from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import PermanentError
from palimpsest.providers.embedding import Embedder
from palimpsest.providers.models.vendors import Reaching, Vendor, granted, openai_client, parted


@dataclass(frozen=True, kw_only=True)
class RemoteEmbedding:
    """What an embedder beyond this machine needs."""

    reaching: Reaching
    dimension: int | None
    clock: Clock


def embedder_named(
    name: str, *, batch_texts: int, remote: RemoteEmbedding | None = None
) -> Embedder:
    """The embedder of this name, not yet started.

    `batch_texts` texts at most go to a local model's child process, or to a
    remote service, at once. A remote one is called `vendor/name`.

    Raises:
        PermanentError: no embedder has that name, or what it needs is missing.
    """
    if name == "hashing":
        from palimpsest.providers.hashing import HashingEmbedder  # noqa: PLC0415 - for tests

        return HashingEmbedder()
    if "/" in name:
        return _remote(name, batch_texts, remote)
    from palimpsest.providers.local_embedder import LocalEmbedder  # noqa: PLC0415 - loads numpy

    return LocalEmbedder(name, batch_texts=batch_texts)


def _remote(name: str, batch_texts: int, remote: RemoteEmbedding | None) -> Embedder:
    vendor, model = parted(name)
    if vendor is Vendor.ANTHROPIC:
        raise PermanentError("anthropic has no embeddings")
    if remote is None or remote.dimension is None:
        raise PermanentError(f"the embedder {name} needs PALIMPSEST_EMBEDDER_DIMENSION")
    access = granted(name, remote.reaching)
    from palimpsest.providers.openai_embedder import OpenAIEmbedder  # noqa: PLC0415 - as above

    return OpenAIEmbedder(
        model,
        openai_client(access, remote.reaching.timeout_seconds),
        vendor=vendor,
        dimension=remote.dimension,
        batch_texts=batch_texts,
        clock=remote.clock,
    )
