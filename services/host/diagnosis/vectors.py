"""Checks of vectors: whether they may be used, and the state of their collections."""

import asyncio
from collections.abc import Mapping

from palimpsest.model.errors import EmbeddingModelMismatch, PalimpsestError, PermanentError
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.domain.compression.merge_thresholds import (
    get_merge_threshold,
    is_measurable,
)
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.runtime.vector_backends import (
    MAXIMUM_INSPECTED_COLLECTIONS,
    VectorBackendProperties,
    describe_server_backends,
    find_vector_backend,
)
from palimpsest_server.stores.vectors import CollectionHealth
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

_SECONDS = 6.0


async def check_vectors(settings: Settings) -> Finding:
    """Check that vectors are available and made by the configured model."""
    backend = find_vector_backend(settings)
    if backend is None:
        return report_ok("vectors", "none in this process, as configured")
    return await check_vector_backend(backend, settings, build_embedder(settings).model)


async def check_vector_backend(
    backend: VectorBackendProperties, settings: Settings, model: EmbeddingModel
) -> Finding:
    """Check the vectors of one backend, which no store of this process has open."""
    where = backend.locate(settings)
    try:
        async with asyncio.timeout(_SECONDS):
            health = await backend.inspect(settings, model)
    except EmbeddingModelMismatch as error:
        return report_failure(
            backend.subject,
            f"{where}: {error}",
            "Set PALIMPSEST_EMBEDDER back, or make all vectors again: `palimpsest reindex`.",
        )
    except PermanentError as error:
        return report_failure(
            backend.subject, f"{where}: {error}", "Do as it says; until then no service starts."
        )
    except (PalimpsestError, TimeoutError) as error:
        return report_failure(
            backend.subject,
            f"{where} does not answer ({describe_error(error)})",
            f"Start it, or correct {' and '.join(backend.variables)}.",
        )
    return _report_health(backend.subject, f"{where}, for {model.slug}", health)


def _report_health(subject: str, where: str, health: Mapping[str, CollectionHealth]) -> Finding:
    if not health:
        return report_ok(subject, f"{where}: nothing is stored yet")
    broken, busy = (
        [name for name, found in health.items() if found is wanted]
        for wanted in (CollectionHealth.BROKEN, CollectionHealth.BUSY)
    )
    all_of_them = len(health) < MAXIMUM_INSPECTED_COLLECTIONS
    words = f"{where}; of {'its' if all_of_them else 'the first'} {len(health)} collections"
    if broken:
        return report_failure(
            subject,
            f"{words} {len(broken)} are broken, {broken[0]} among them",
            "Its log says why, most often a full disk. `palimpsest reindex` makes them again.",
        )
    if busy:
        return report_doubt(
            subject,
            f"{words} {len(busy)} are being indexed, {busy[0]} among them",
            "They serve meanwhile, only more slowly. Look again in a minute.",
        )
    return report_ok(subject, f"{words} all are well")


def check_similarity(settings: Settings) -> Finding:
    """Check that it is known from which similarity on two memories are one."""
    slug = build_embedder(settings).model.slug
    threshold = get_merge_threshold(slug, settings.similarity_thresholds)
    if threshold is not None:
        return report_ok("similarity", f"{slug}: memories may be one from {threshold:g} on")
    if not is_measurable(slug):
        return report_doubt(
            "similarity",
            f"{slug} sees words and no meaning: memories are never compared by their vectors",
            "Set PALIMPSEST_EMBEDDER to a model that understands, or leave it for trying out.",
        )
    return report_doubt(
        "similarity",
        f"{slug} was never calibrated: each consolidator measures it anew after its start, and"
        " compares nothing until then",
        "Run `palimpsest calibrate`, which says what to set so that it need not be measured.",
    )


def check_turn_tracking(settings: Settings) -> list[Finding]:
    """Check that ingest can see whether turns became searchable, wherever it runs."""
    backend = find_vector_backend(settings)
    if settings.mode is Mode.EMBEDDED or (backend is not None and backend.is_server):
        return []
    return [
        report_doubt(
            "turns",
            f"with vectors={settings.vectors.value} nobody confirms turns, unless ingest runs in "
            "one process with the consolidator: one that is lost on its way is not published again",
            f"Set {describe_server_backends()}, or serve ingest and consolidator together.",
        )
    ]
