"""Which parts a process gets: by the settings and by the services it runs."""

from base64 import b64encode
from pathlib import Path

import pytest
from pydantic import SecretStr

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Layout
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.runtime.vector_backends import build_vector_store
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.encryption.nameless_vectors import NamelessVectorStore
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from services.host.embedded_mode import derive_embedded_settings
from services.host.platform import build_platform
from services.host.service_registry import SERVICES, check_service_names


@pytest.mark.parametrize(
    ("vectors", "services", "expected"),
    [
        (VectorsBackend.EDGE, ["consolidator", "recall"], EdgeVectorStore),
        (VectorsBackend.EDGE, list(SERVICES), EdgeVectorStore),
        (VectorsBackend.EDGE, ["ingest", "extractor"], type(None)),
        (VectorsBackend.QDRANT, ["ingest"], QdrantVectorStore),
        (VectorsBackend.QDRANT, ["consolidator"], QdrantVectorStore),
        (VectorsBackend.NONE, ["consolidator"], type(None)),
    ],
)
def test_vectors_go_to_who_may_have_them(
    tmp_path: Path, vectors: VectorsBackend, services: list[str], expected: type
) -> None:
    settings = Settings(data_directory=tmp_path, vectors=vectors)
    platform = build_platform(settings, services, HashingEmbedder())
    platform.database.close()
    assert isinstance(platform.vectors, expected)


@pytest.mark.parametrize("vectors", [VectorsBackend.EDGE, VectorsBackend.QDRANT])
def test_where_content_is_encrypted_no_name_stands_in_the_vectors_whoever_makes_them(
    tmp_path: Path, vectors: VectorsBackend
) -> None:
    """Not in those of the services, and not in those that `palimpsest reindex` makes."""
    key = SecretStr(b64encode(bytes(32)).decode())
    settings = Settings(data_directory=tmp_path, vectors=vectors, encryption_key=key)
    platform = build_platform(settings, ["consolidator"], HashingEmbedder())
    platform.database.close()
    assert isinstance(platform.vectors, NamelessVectorStore)
    model = HashingEmbedder().model
    assert isinstance(
        build_vector_store(settings, model, platform.database, searching=True), NamelessVectorStore
    )


def test_an_unknown_service_is_named_with_those_that_are_known() -> None:
    with pytest.raises(PermanentError, match=r"'gossip'; there are ingest, .*console"):
        check_service_names(["ingest", "gossip"])


async def test_embedded_mode_overrides_what_was_set_for_servers(tmp_path: Path) -> None:
    servers_settings = Settings(
        mode=Mode.SERVER,
        data_directory=tmp_path,
        kafka_bootstrap_servers="kafka:9092",
        kafka_replication_factor=3,
        vectors=VectorsBackend.QDRANT,
        layout=Layout.PER_AGENT,
        extraction_window_rounds=7,
    )
    async with EmbeddedServers(tmp_path) as servers:
        settings = derive_embedded_settings(servers_settings, servers)
        assert settings.kafka_bootstrap_servers == servers.kafka_bootstrap
        assert settings.mongodb_url.get_secret_value() == servers.mongodb_url
    assert settings.mode is Mode.EMBEDDED
    assert settings.kafka_volatile
    assert not settings.kafka_idempotent_producer
    assert settings.kafka_replication_factor == 1
    assert settings.kafka_fetch_maximum_wait_milliseconds == 15
    assert settings.vectors is VectorsBackend.EDGE
    assert settings.layout is Layout.POOLED
    assert settings.extraction_window_rounds == 7
