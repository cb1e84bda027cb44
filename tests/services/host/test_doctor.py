"""The doctor says in words what is wrong and what to do, and changes nothing."""

import asyncio
from base64 import b64encode
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.events.conversations import SessionEnded
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.clock import system_clock
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.domain.encrypted_fields import ContentOwner
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.stores.collections import KEYS
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.encryption.keyring import Keyring
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from services.host.diagnosis import Finding, FindingState, diagnose, servers
from services.host.diagnosis import vectors as vector_checks
from services.host.http_server import bind_http_port
from services.host.platform import build_platform
from services.host.service_lifecycle import run_services
from tests.support.offered_ports import read_offered_port
from tests.support.services.host.tiny import TinyService
from tests.support.windows import window

NOBODY = "127.0.0.1:9"


def on(subject: str, findings: list[Finding]) -> Finding:
    return next(finding for finding in findings if finding.subject == subject)


async def test_servers_that_do_not_answer_are_told_apart_with_what_to_do(tmp_path: Path) -> None:
    findings = await diagnose(
        Settings(
            mode=Mode.SERVER,
            data_directory=tmp_path,
            kafka_bootstrap_servers=NOBODY,
            mongodb_url=SecretStr(f"mongodb://ada:s3cret@{NOBODY}/"),
            vectors=VectorsBackend.QDRANT,
            qdrant_url=f"http://{NOBODY}",
        )
    )
    for subject, setting in {
        "Kafka": "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS",
        "MongoDB": "PALIMPSEST_MONGODB_URL",
        "Qdrant": "PALIMPSEST_QDRANT_URL",
    }.items():
        finding = on(subject, findings)
        assert finding.state is FindingState.ILL
        assert setting in (finding.advice or "")
    assert on("versions", findings).state is FindingState.WELL
    assert f"MongoDB at {NOBODY} does not answer" in on("MongoDB", findings).words


async def test_servers_without_services_lack_the_topics(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path / "servers") as servers:
        findings = await diagnose(
            Settings(
                mode=Mode.SERVER,
                data_directory=tmp_path,
                kafka_bootstrap_servers=servers.kafka_bootstrap,
                mongodb_url=SecretStr(servers.mongodb_url),
            )
        )
    assert on("Kafka", findings).state is FindingState.DOUBTFUL
    assert "without the topics conversations" in on("Kafka", findings).words
    assert on("MongoDB", findings).state is FindingState.WELL


async def test_records_that_nobody_takes_are_told_with_whom_to_start(
    kafka_bootstrap: str, mongodb_url: str, topic_prefix: str, tmp_path: Path
) -> None:
    settings = Settings(
        mode=Mode.SERVER,
        data_directory=tmp_path,
        kafka_bootstrap_servers=kafka_bootstrap,
        kafka_topic_prefix=topic_prefix,
        mongodb_url=SecretStr(mongodb_url),
        kafka_idempotent_producer=False,
    )
    bus = Bus(
        "teller",
        settings=build_kafka_settings(settings),
        dead_letters=InMemoryDeadLetters(),
        registry=CollectorRegistry(),
        clock=system_clock,
    )
    await bus.start()
    assert on("consumers", await diagnose(settings)).state is FindingState.WELL
    event = SessionEnded(occurred_at=system_clock(), user_id="ada", session_id="s1")
    await bus.publisher.publish(CONVERSATIONS, [event])
    await bus.stop()
    consumers = on("consumers", await diagnose(settings))
    assert consumers.state is FindingState.ILL
    assert consumers.words == "1 records wait, and nobody takes one for ingest"
    assert "palimpsest serve ingest" in (consumers.advice or "")


async def test_an_embedded_instance_that_does_not_run_is_no_illness(tmp_path: Path) -> None:
    findings = await diagnose(Settings(data_directory=tmp_path / "new", http_port=0))
    assert not [finding for finding in findings if finding.state is FindingState.ILL]
    assert "palimpsest run" in (on("services", findings).advice or "")
    assert not (tmp_path / "new").exists()


async def test_vectors_of_another_model_are_an_illness_with_two_cures(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, EmbeddingModel(name="other", dimension=8))
    await store.open()
    await store.close()
    finding = on("vectors", await diagnose(Settings(data_directory=tmp_path)))
    assert finding.state is FindingState.ILL
    assert "other-8" in finding.words
    assert "palimpsest reindex" in (finding.advice or "")


@pytest.mark.parametrize(
    ("mode", "vectors", "told"),
    [
        (Mode.SERVER, VectorsBackend.EDGE, True),
        (Mode.SERVER, VectorsBackend.NONE, True),
        (Mode.SERVER, VectorsBackend.QDRANT, False),
        (Mode.EMBEDDED, VectorsBackend.EDGE, False),
    ],
)
def test_turns_that_nobody_confirms_are_worth_a_look(
    mode: Mode, vectors: VectorsBackend, *, told: bool
) -> None:
    findings = vector_checks.check_turn_tracking(Settings(mode=mode, vectors=vectors))
    assert [finding.state for finding in findings] == [FindingState.DOUBTFUL] * told
    assert all("PALIMPSEST_VECTORS=qdrant" in (finding.advice or "") for finding in findings)


async def test_who_serves_on_the_http_port_is_told(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path, vectors=VectorsBackend.NONE)
    platform = build_platform(settings, ["tiny"], HashingEmbedder())
    socket = bind_http_port("127.0.0.1", 0)
    port = socket.getsockname()[1]
    async with run_services([TinyService()], platform, socket, say=lambda _: None):
        finding = on("HTTP", await diagnose(Settings(data_directory=tmp_path, http_port=port)))
    assert finding.state is FindingState.WELL
    assert finding.words == f"127.0.0.1:{port} serves tiny"


async def test_somebody_else_on_the_http_port_is_worth_a_look(tmp_path: Path) -> None:
    async with await asyncio.start_server(
        lambda _, writer: writer.close(), "127.0.0.1", 0
    ) as other:
        port = other.sockets[0].getsockname()[1]
        finding = on("HTTP", await diagnose(Settings(data_directory=tmp_path, http_port=port)))
    assert finding.state is FindingState.DOUBTFUL
    assert read_offered_port(finding.advice or "") > port


@pytest.mark.parametrize("below", [".", "deeper"])
async def test_a_data_directory_that_cannot_be_written(tmp_path: Path, below: str) -> None:
    (tmp_path / "data").write_text("not a folder")
    findings = await diagnose(Settings(data_directory=tmp_path / "data" / below))
    finding = on("data directory", findings)
    assert finding.state is FindingState.ILL
    assert "PALIMPSEST_DATA_DIRECTORY" in (finding.advice or "")


async def test_content_that_this_key_cannot_open_is_told_before_anything_is_read(
    database: MongoDatabase, mongodb_url: str, tmp_path: Path
) -> None:
    await Keyring(database._database[KEYS.name], MasterKeys(bytes(32))).of([ContentOwner("ann", 0)])
    settings = Settings(
        mode=Mode.SERVER,
        data_directory=tmp_path,
        mongodb_url=SecretStr(mongodb_url),
        mongodb_database=database._database.name,
        encryption_key=SecretStr(b64encode(bytes([1] * 32)).decode()),
    )
    (finding,) = await servers.check_mongodb(settings)
    assert (finding.subject, finding.state) == ("encryption", FindingState.ILL)
    assert "PALIMPSEST_ENCRYPTION_OLDER_KEYS" in finding.words
    mended = {"encryption_older_keys": SecretStr(b64encode(bytes(32)).decode())}
    (finding, *_) = await servers.check_mongodb(settings.model_copy(update=mended))
    assert (finding.subject, finding.state) == ("MongoDB", FindingState.WELL)


async def test_requests_that_failed_for_good_are_told_with_what_to_do(
    database: MongoDatabase, mongodb_url: str, tmp_path: Path
) -> None:
    ledger, now = MongoLedger(database), system_clock()
    await ledger.write_down([window()], now=now)
    [lease] = await ledger.lease(limit=1, until=now + timedelta(minutes=1), now=now)
    await ledger.fail(lease, reason="attempts_exhausted", now=now)
    settings = Settings(
        mode=Mode.SERVER,
        data_directory=tmp_path,
        mongodb_url=SecretStr(mongodb_url),
        mongodb_database=database._database.name,
    )

    finding = on("extraction", await servers.check_mongodb(settings))
    assert (finding.state, finding.words[0]) == (FindingState.DOUBTFUL, "1")
    assert "dead-letters list --stage extractor" in (finding.advice or "")

    await ledger.write_down([window()], now=now)
    assert "extraction" not in [each.subject for each in await servers.check_mongodb(settings)]
