"""The vector store that the settings ask for."""

from palimpsest.domain.scope import Layout
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.runtime.settings import Settings, VectorsBackend
from palimpsest.stores.vectors import ReplaceableVectorStore


def vector_store(settings: Settings, model: EmbeddingModel) -> ReplaceableVectorStore | None:
    """Not opened yet; None under `PALIMPSEST_VECTORS=none`."""
    match settings.vectors:
        case VectorsBackend.EDGE:
            from palimpsest.stores.vector_edge import EdgeVectorStore  # noqa: PLC0415 - 35 MB

            return EdgeVectorStore(settings.data_directory, model)
        case VectorsBackend.SERVER:
            from palimpsest.stores.vector_qdrant import (  # noqa: PLC0415 - only where asked for
                QdrantVectorStore,
                qdrant_client,
            )

            key = settings.qdrant_api_key
            return QdrantVectorStore(
                qdrant_client(settings.qdrant_url, key.get_secret_value() if key else None),
                model,
                pooled=settings.layout is Layout.POOLED,
            )
        case VectorsBackend.NONE:
            return None
