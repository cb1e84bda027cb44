"""A Qdrant server: whether it is ours to use, and how the collections on it are."""

import asyncio

from palimpsest.delivery.failures import words_of
from palimpsest.domain.errors import PalimpsestError, PermanentError
from palimpsest.domain.scope import Layout
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.runtime.settings import Settings
from palimpsest.stores.qdrant_collections import Health
from palimpsest.stores.vector_qdrant import QdrantVectorStore, qdrant_client
from services.host.diagnosis.finding import Finding, doubtful, ill, well

_SECONDS = 6.0
_MOST = 64
"""Collections that are looked at: each is a question of its own."""


async def server(settings: Settings, model: EmbeddingModel) -> Finding:
    """Of the server that the settings name."""
    key = settings.qdrant_api_key
    client = qdrant_client(settings.qdrant_url, key.get_secret_value() if key else None)
    store = QdrantVectorStore(client, model, pooled=settings.layout is Layout.POOLED)
    try:
        return await collections(store, settings.qdrant_url)
    finally:
        await store.close()


async def collections(store: QdrantVectorStore, url: str) -> Finding:
    """Of a store that is not open yet."""
    try:
        async with asyncio.timeout(_SECONDS):
            await store.open()
            health = await store.health(at_most=_MOST)
    except PermanentError as error:
        return ill("Qdrant", f"{url}: {error}", "Do as it says; until then no service starts.")
    except (PalimpsestError, TimeoutError) as error:
        return ill(
            "Qdrant",
            f"{url} does not answer ({words_of(error)})",
            "Start it, or correct PALIMPSEST_QDRANT_URL and PALIMPSEST_QDRANT_API_KEY.",
        )
    broken, busy = (
        [name for name, found in health.items() if found is wanted]
        for wanted in (Health.BROKEN, Health.BUSY)
    )
    looked_at = f"the first {_MOST}" if len(health) == _MOST else f"its {len(health)}"
    words = f"{url} answers, for {store.model.slug}; of {looked_at} collections"
    if broken:
        return ill(
            "Qdrant",
            f"{words} {len(broken)} are broken, {broken[0]} among them",
            "Its log says why, most often a full disk. `palimpsest reindex` makes them again.",
        )
    if busy:
        return doubtful(
            "Qdrant",
            f"{words} {len(busy)} are being indexed, {busy[0]} among them",
            "They serve meanwhile, only more slowly. Look again in a minute.",
        )
    return well("Qdrant", f"{words} all are well")
