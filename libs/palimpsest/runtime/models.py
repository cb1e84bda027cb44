"""Models by the settings: how their vendors are reached, and the embedder."""

from palimpsest.domain.clock import system_clock
from palimpsest.providers.embedders import RemoteEmbedding, embedder_named
from palimpsest.providers.embedding import Embedder
from palimpsest.providers.models.vendors import Access, Reaching, Vendor
from palimpsest.runtime.settings import Settings


def reaching(settings: Settings) -> Reaching:
    return Reaching(
        access={
            Vendor.OPENAI: Access(key=settings.openai_api_key, base_url=settings.openai_base_url),
            Vendor.ANTHROPIC: Access(
                key=settings.anthropic_api_key, base_url=settings.anthropic_base_url
            ),
            Vendor.COMPATIBLE: Access(
                key=settings.compatible_api_key, base_url=settings.compatible_base_url
            ),
        },
        timeout_seconds=settings.model_timeout_seconds,
    )


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that the settings name, not yet started.

    Raises:
        PermanentError: there is none of that name, or what it needs is missing.
    """
    return embedder_named(
        settings.embedder,
        batch_texts=settings.embedder_batch_texts,
        remote=RemoteEmbedding(
            reaching=reaching(settings),
            dimension=settings.embedder_dimension,
            clock=system_clock,
        ),
    )
