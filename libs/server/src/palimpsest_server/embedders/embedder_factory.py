"""Make an embedder by its name in the settings."""

from dataclasses import dataclass

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.models.vendors import (
    OPENAI_PROTOCOL_VENDORS,
    VendorConnections,
    create_openai_client,
    get_vendor_access,
    split_model_name,
)


@dataclass(frozen=True, kw_only=True)
class RemoteEmbedderOptions:
    """The options of a remote embedder."""

    reaching: VendorConnections
    dimension: int | None
    clock: Clock
    first_wait_seconds: float = 1.0
    """Wait before a server that is away at the start is asked again; doubles each time."""


def create_embedder(
    name: str, *, batch_texts: int, remote: RemoteEmbedderOptions | None = None
) -> Embedder:
    """Create the embedder of this name, not started yet.

    A local model's child process, or a remote service, receives at most `batch_texts` texts at once. A
    remote embedder is named `vendor/name`.

    Raises:
        PermanentError: no embedder has that name, or a package or setting is missing.
    """
    if name == "hashing":
        from palimpsest_server.embedders.hashing_embedder import HashingEmbedder  # noqa: PLC0415 - for tests

        return HashingEmbedder()
    if "/" in name:
        return _remote(name, batch_texts, remote)
    from palimpsest_server.embedders.local_embedder import LocalEmbedder  # noqa: PLC0415 - loads numpy

    return LocalEmbedder(name, batch_texts=batch_texts)


def _remote(name: str, batch_texts: int, remote: RemoteEmbedderOptions | None) -> Embedder:
    vendor, model = split_model_name(name)
    if vendor not in OPENAI_PROTOCOL_VENDORS:
        raise PermanentError(f"{vendor} has no embeddings")
    if remote is None or remote.dimension is None:
        raise PermanentError(f"the embedder {name} needs PALIMPSEST_EMBEDDER_DIMENSION")
    access = get_vendor_access(name, remote.reaching)
    from palimpsest_server.embedders.openai_embedder import OpenAIEmbedder  # noqa: PLC0415 - as above

    return OpenAIEmbedder(
        model,
        create_openai_client(access, remote.reaching.timeout_seconds),
        vendor=vendor,
        dimension=remote.dimension,
        batch_texts=batch_texts,
        clock=remote.clock,
        first_wait_seconds=remote.first_wait_seconds,
    )
