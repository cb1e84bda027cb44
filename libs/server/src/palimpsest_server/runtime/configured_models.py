"""Build models from the settings: access to their vendors, and the embedder."""

from palimpsest.model.clock import system_clock
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.embedder_factory import RemoteEmbedderOptions, create_embedder
from palimpsest_server.models.vendors import Vendor, VendorAccess, VendorConnections
from palimpsest_server.runtime.settings import Settings


def build_vendor_connections(settings: Settings) -> VendorConnections:
    return VendorConnections(
        access={
            vendor: VendorAccess(
                key=getattr(settings, f"{vendor}_api_key"),
                base_url=getattr(settings, f"{vendor}_base_url"),
            )
            for vendor in Vendor
        },
        timeout_seconds=settings.model_timeout_seconds,
    )


def build_embedder(settings: Settings) -> Embedder:
    """Build the embedder that the settings name, not started yet.

    Raises:
        PermanentError: no embedder has that name, or a package or setting is missing.
    """
    return create_embedder(
        settings.embedder,
        batch_texts=settings.embedder_batch_texts,
        remote=RemoteEmbedderOptions(
            reaching=build_vendor_connections(settings),
            dimension=settings.embedder_dimension,
            clock=system_clock,
        ),
    )
