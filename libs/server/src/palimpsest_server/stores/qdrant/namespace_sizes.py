"""The sizes of namespaces in the pooled collection."""

from qdrant_client import AsyncQdrantClient

from palimpsest.model.scope import Layout
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.qdrant.collections import QdrantCollections


async def count_pooled_points(
    client: AsyncQdrantClient, collections: QdrantCollections, *, limit: int
) -> dict[str, int]:
    """Count the points of the largest namespaces by physical name, the largest first."""
    try:
        with calls.translate_failures():
            found = await client.facet(
                collections.alias("", Layout.POOLED), vector_schema.NAMESPACE, limit=limit
            )
    except calls.CollectionMissing:
        return {}
    return {str(hit.value): hit.count for hit in found.hits}
