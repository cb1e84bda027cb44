"""A real Qdrant server, if the environment names one by address."""

import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from qdrant_client import AsyncQdrantClient

from palimpsest_server.stores.qdrant.vectors import qdrant_client

SERVER_URL = os.environ.get("PALIMPSEST_TEST_QDRANT_URL")
SERVER_KEY = os.environ.get("PALIMPSEST_TEST_QDRANT_API_KEY")


@asynccontextmanager
async def serve_by_address() -> AsyncIterator[tuple[AsyncQdrantClient, str]]:
    """Yield a client and a prefix of names; what bears it is deleted at the end."""
    prefix = f"test-{uuid.uuid4().hex[:8]}-"
    client = qdrant_client(str(SERVER_URL), SERVER_KEY)
    try:
        yield client, prefix
        for collection in (await client.get_collections()).collections:
            if collection.name.startswith(prefix):
                await client.delete_collection(collection.name)
    finally:
        await client.close()
