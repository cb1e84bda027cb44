"""A Qdrant server: whether it is ours to use, and how the collections on it are."""

import asyncio

from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest.model.scope import Layout
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.qdrant.collections import QdrantCollectionHealth
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore, qdrant_client
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

_SECONDS = 6.0
_MOST = 64
"""Collections that are looked at: each is a question of its own."""


async def check_qdrant_server(settings: Settings, model: EmbeddingModel) -> Finding:
    """Check the server that the settings name."""
    key = settings.qdrant_api_key
    client = qdrant_client(settings.qdrant_url, key.get_secret_value() if key else None)
    store = QdrantVectorStore(client, model, pooled=settings.layout is Layout.POOLED)
    try:
        return await check_qdrant_collections(store, settings.qdrant_url)
    finally:
        await store.close()


async def check_qdrant_collections(store: QdrantVectorStore, url: str) -> Finding:
    """Check a store that is not open yet."""
    try:
        async with asyncio.timeout(_SECONDS):
            await store.open()
            health = await store.health(at_most=_MOST)
    except PermanentError as error:
        return report_failure(
            "Qdrant", f"{url}: {error}", "Do as it says; until then no service starts."
        )
    except (PalimpsestError, TimeoutError) as error:
        return report_failure(
            "Qdrant",
            f"{url} does not answer ({describe_error(error)})",
            "Start it, or correct PALIMPSEST_QDRANT_URL and PALIMPSEST_QDRANT_API_KEY.",
        )
    broken, busy = (
        [name for name, found in health.items() if found is wanted]
        for wanted in (QdrantCollectionHealth.BROKEN, QdrantCollectionHealth.BUSY)
    )
    looked_at = f"the first {_MOST}" if len(health) == _MOST else f"its {len(health)}"
    words = f"{url} answers, for {store.model.slug}; of {looked_at} collections"
    if broken:
        return report_failure(
            "Qdrant",
            f"{words} {len(broken)} are broken, {broken[0]} among them",
            "Its log says why, most often a full disk. `palimpsest reindex` makes them again.",
        )
    if busy:
        return report_doubt(
            "Qdrant",
            f"{words} {len(busy)} are being indexed, {busy[0]} among them",
            "They serve meanwhile, only more slowly. Look again in a minute.",
        )
    return report_ok("Qdrant", f"{words} all are well")
