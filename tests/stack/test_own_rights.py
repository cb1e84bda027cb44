"""The whole pipeline on Apache Kafka, every process with its own user and no more than its rights."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from palimpsest.client import Message, PalimpsestClient
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest_server.delivery.acls import format_acl_commands
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from tests.support.journeys.waiting import until_listed, until_recalled
from tests.support.stack.secured import PASSWORDS, PREFIX, SecuredKafka
from tests.support.stack.served import Served

pytestmark = [pytest.mark.stack, pytest.mark.timeout(300)]

KEY = "the-service-key-of-this-test"
PROCESSES = {
    "ingest": ("ingest",),
    "extractor": ("extractor",),
    "embedder": ("embedder",),
    "console": ("console",),
    # One process has the vectors, and so needs the rights of both.
    "consolidator": ("consolidator", "recall"),
}
REFUSED = ("AuthorizationFailed", "not authorized", "an ACL is missing")


def settings_of(
    user: str, kafka: SecuredKafka, mongodb_url: str, directory: Path
) -> Mapping[str, str]:
    """The password and the key as files, as Kubernetes mounts them."""
    secrets = directory / f"secrets-{user}"
    secrets.mkdir()
    (secrets / "PALIMPSEST_KAFKA_PASSWORD").write_text(PASSWORDS[user])
    (secrets / "PALIMPSEST_API_KEY").write_text(KEY)
    return {
        "PALIMPSEST_SECRETS_DIRECTORY": str(secrets),
        "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": kafka.secured,
        "PALIMPSEST_KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
        "PALIMPSEST_KAFKA_USER": user,
        "PALIMPSEST_KAFKA_CA_FILE": str(kafka.ca_file),
        "PALIMPSEST_KAFKA_TOPIC_PREFIX": PREFIX,
        "PALIMPSEST_KAFKA_PARTITIONS": "2",
        "PALIMPSEST_MONGODB_URL": mongodb_url,
        "PALIMPSEST_DATA_DIRECTORY": str(directory / "data"),
        "PALIMPSEST_EMBEDDER": "hashing",
        "PALIMPSEST_RECONCILE_INTERVAL_SECONDS": "1",
    }


@pytest.fixture
async def served(secured: SecuredKafka, tmp_path: Path) -> AsyncIterator[dict[str, Served]]:
    lines = [line for line in format_acl_commands(PREFIX) if "User:recall " in line]
    secured.allow(line.replace("User:recall ", "User:consolidator ") for line in lines)
    async with AsyncExitStack() as stack:
        servers = EmbeddedServers(tmp_path / "servers")
        await servers.start(broker=False)
        stack.push_async_callback(servers.stop)
        started = {
            user: await stack.enter_async_context(
                Served(
                    *services, settings=settings_of(user, secured, servers.mongodb_url, tmp_path)
                )
            )
            for user, services in PROCESSES.items()
        }
        await asyncio.gather(*(each.ready() for each in started.values()))
        yield started


async def test_what_is_said_is_remembered_recalled_and_forgotten_by_own_rights_alone(
    secured: SecuredKafka, served: dict[str, Served]
) -> None:
    said = Message(
        message_id="m1",
        role=Role.USER,
        text="我住在上海。",
        occurred_at=datetime.now(UTC),
    )
    chat = PalimpsestClient(
        kafka_bootstrap_servers=secured.secured,
        kafka_topic_prefix=PREFIX,
        kafka_security=secured.security("chat-services"),
        api_key=KEY,
        timeout_seconds=30,
    )
    console = PalimpsestClient(http_url=await served["console"].url(), api_key=KEY)
    async with chat, console:
        await chat.save_conversation([said], user_id="ada", session_id="s1", ended=True)
        await until_listed(console, "ada", {"用户住在上海"}, Status.ACTIVE)
        await until_recalled(chat, said.text, "ada", "m1")
        (memory,) = (await console.list(user_id="ada")).memories
        await console.forget(memory.id, user_id="ada")
        await until_listed(console, "ada", {"用户住在上海"}, Status.FORGOTTEN)
        await poison(secured)
        async with asyncio.timeout(30):
            ingest, counted = served["ingest"], "palimpsest_stage_dead_letters_total"
            while not await ingest.metric(counted):  # noqa: ASYNC110 - another process's number
                await asyncio.sleep(0.1)
    for process in served.values():
        await process.stop()
        said_of_rights = [line for line in process.output if any(word in line for word in REFUSED)]
        assert said_of_rights == []


async def poison(kafka: SecuredKafka) -> None:
    """What ingest sets aside, and announces on `dead-letters`."""
    security = kafka.security("chat-services").options()
    producer = AIOKafkaProducer(bootstrap_servers=kafka.secured, **security)
    await producer.start()
    try:
        topic = PREFIX + CONVERSATIONS.name
        await producer.send_and_wait(topic, b'{"type": "NoSuchThing"}', key=b"ada")
    finally:
        await producer.stop()
