"""The services by name, and what each needs of the process it runs in."""

from collections.abc import Sequence
from importlib import import_module

from palimpsest.model.errors import PermanentError
from palimpsest_language.vocabulary.pattern_prefilter import build_prefilters
from palimpsest_server.embedders.gc_pause import pause_garbage_collection
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import Service

SERVICES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")

EMBEDDING_SERVICES = frozenset({"embedder", "recall"})
"""Those that turn text into vectors."""

SEARCHING_SERVICES = frozenset({"consolidator", "recall"})
"""Those that cannot do their work without the vectors, where a process of its own holds them."""

CONSUMING_SERVICES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
"""Those that read in a group of their own."""


def check_service_names(names: Sequence[str]) -> None:
    """Return when each names a service.

    Raises:
        PermanentError: one does not.
    """
    for name in names:
        if name not in SERVICES:
            raise PermanentError(f"No service is called {name!r}; there are {', '.join(SERVICES)}.")


def load_services(names: Sequence[str]) -> None:
    """Import their code and build its tables, which takes a moment; the services are built later."""
    with pause_garbage_collection():
        for name in names:
            import_module(f"services.{name}.app")
        build_prefilters()


def build_services(names: Sequence[str], platform: Platform) -> list[Service]:
    """Each wired to the platform, none of them started."""
    return [import_module(f"services.{name}.app").build(platform) for name in names]
