"""The services by name, and their requirements on a process."""

from collections.abc import Sequence
from importlib import import_module

from palimpsest.model.errors import PermanentError
from palimpsest_language.vocabulary.pattern_prefilter import build_prefilters
from palimpsest_server.embedders.gc_pause import pause_garbage_collection
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import Service

SERVICES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")

EMBEDDING_SERVICES = frozenset({"embedder", "recall"})
"""Services that turn text into vectors."""

SEARCHING_SERVICES = frozenset({"consolidator", "recall"})
"""Services that need vectors, also when the vectors belong to one process."""

CONSUMING_SERVICES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
"""Services that read Kafka in a group of their own."""


def check_service_names(names: Sequence[str]) -> None:
    """Check that each is the name of a service.

    Raises:
        PermanentError: one is not.
    """
    for name in names:
        if name not in SERVICES:
            raise PermanentError(f"No service is called {name!r}; there are {', '.join(SERVICES)}.")


def load_services(names: Sequence[str]) -> None:
    """Import the services' code and build its tables, which takes a moment."""
    with pause_garbage_collection():
        for name in names:
            import_module(f"services.{name}.app")
        build_prefilters()


def build_services(names: Sequence[str], platform: Platform) -> list[Service]:
    """Build each service on the platform; none of them is started."""
    return [import_module(f"services.{name}.app").build(platform) for name in names]
