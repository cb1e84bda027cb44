"""SCRAM over TLS and ACLs on Apache Kafka: who gets in, and what who doesn't is told."""

import asyncio
import dataclasses
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.client import Message, NotAllowed, PalimpsestClient
from palimpsest.events.kafka_refusals import KafkaRefused
from palimpsest.events.kafka_security import KafkaSecurity, SaslMechanism, SecurityProtocol
from palimpsest.events.topics import CANDIDATES, CHANGES, CONVERSATIONS, WRITES
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.missing_acls import find_missing_consumer_acl
from palimpsest_server.runtime.settings import Settings
from services.host.diagnosis import servers
from services.host.diagnosis.finding import FindingState
from tests.support.server.delivery.stand import PATIENCE_SECONDS, Heard, Stand, said
from tests.support.stack.secured import PREFIX, SecuredKafka

pytestmark = pytest.mark.stack


@pytest.fixture
async def stand(secured: SecuredKafka) -> AsyncIterator[Stand]:
    async with Stand(as_user(secured, "ingest")) as stand:
        yield stand


def as_user(secured: SecuredKafka, user: str, **changes: object) -> KafkaSettings:
    settings = KafkaSettings(
        bootstrap_servers=secured.secured,
        security=secured.security(user),
        topic_prefix=PREFIX,
        partitions=2,
        fetch_maximum_wait_milliseconds=20,
        session_timeout_milliseconds=3_000,
        graceful_timeout_seconds=5,
    )
    return dataclasses.replace(settings, **changes)  # type: ignore[arg-type]


async def refusal(stand: Stand, settings: KafkaSettings) -> str:
    stand.settings = settings
    with pytest.raises(KafkaRefused) as refused:
        await asyncio.wait_for(stand.bus().start(), PATIENCE_SECONDS)
    return str(refused.value)


async def test_a_service_consumes_and_publishes_over_tls_with_its_password(stand: Stand) -> None:
    heard = Heard()
    bus = await stand.consuming(heard)
    events = [said(f"{uuid.uuid4().hex}", number) for number in range(20)]
    await bus.publisher.publish(CONVERSATIONS, events)
    await heard.until(20)
    await bus.publisher.publish(CANDIDATES, events[:0])
    await bus.check()


async def test_a_wrong_password_is_said_in_words_without_repeating_it(
    stand: Stand, secured: SecuredKafka
) -> None:
    wrong = as_user(secured, "ingest", security=secured.security("ingest", "not-the-password"))
    words = await refusal(stand, wrong)
    assert "'ingest'" in words
    assert "password is wrong" in words
    assert "not-the-password" not in words


async def test_an_unknown_user_is_told_the_same(stand: Stand, secured: SecuredKafka) -> None:
    nobody = as_user(secured, "ingest", security=secured.security("nobody", "any-password"))
    assert "name or the password is wrong" in await refusal(stand, nobody)


async def test_a_mechanism_that_is_not_offered_is_named(
    stand: Stand, secured: SecuredKafka
) -> None:
    security = dataclasses.replace(
        secured.security("ingest"), mechanism=SaslMechanism.SCRAM_SHA_256
    )
    words = await refusal(stand, as_user(secured, "ingest", security=security))
    assert "does not offer SCRAM-SHA-256" in words


async def test_an_expired_certificate_is_called_expired(
    stand: Stand, secured: SecuredKafka
) -> None:
    words = await refusal(stand, as_user(secured, "ingest", bootstrap_servers=secured.expired))
    assert "has expired" in words
    assert secured.expired in words


async def test_a_certificate_of_a_strange_authority_is_not_trusted(
    stand: Stand, secured: SecuredKafka
) -> None:
    security = secured.security("ingest", ca_file=secured.strange_ca_file)
    assert "is not trusted" in await refusal(stand, as_user(secured, "ingest", security=security))


async def test_who_may_see_no_topic_of_theirs_is_told_of_the_acls(
    stand: Stand, secured: SecuredKafka
) -> None:
    words = await refusal(stand, as_user(secured, "stranger"))
    assert "'stranger'" in words
    assert "palimpsest acls" in words


async def test_nobody_but_the_consolidator_writes_changes(
    stand: Stand, secured: SecuredKafka
) -> None:
    bus = stand.bus()
    await bus.start()
    for topic in (CHANGES, WRITES):
        with pytest.raises(TransientError, match=f"write to {topic.name}: an ACL is missing"):
            await bus.publisher.publish(topic, [said("u", 1)])


async def test_a_topic_that_may_not_be_read_is_never_given_to_the_service(
    stand: Stand, secured: SecuredKafka
) -> None:
    heard = Heard()
    bus = stand.bus()
    bus.consume(WRITES, heard)
    starting = asyncio.create_task(bus.start())
    said_of_it = ""
    async with asyncio.timeout(PATIENCE_SECONDS):
        # It is said between two tries as well, when there is no connection to Kafka.
        while "has not reached Kafka yet: " not in said_of_it:
            with pytest.raises(TransientError) as missing:
                await bus.check()
            said_of_it = str(missing.value)
            await asyncio.sleep(0.1)
    assert "see acl-writes: an ACL is missing" in said_of_it
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    assert heard.ids == []


async def test_a_group_that_may_not_be_joined_is_named(secured: SecuredKafka) -> None:
    secured.allow(
        [
            f"kafka-acls.sh --add --allow-principal User:half --operation {operation}"
            f" --topic {PREFIX}writes"
            for operation in ("Read", "Describe")
        ]
    )
    async with Stand(as_user(secured, "consolidator")) as stand:
        await stand.bus("consolidator").start()
    settings = as_user(secured, "half")
    admin = AIOKafkaAdminClient(
        bootstrap_servers=settings.bootstrap_servers, **settings.security.options()
    )
    await admin.start()
    try:
        why = await find_missing_consumer_acl(admin, settings, WRITES, "consolidator")
        other = await find_missing_consumer_acl(admin, settings, CHANGES, "consolidator")
    finally:
        await admin.close()
    assert why is not None
    assert "'half' read in the group acl-consolidator" in why
    assert other is not None
    assert "see acl-changes" in other


async def test_a_certificate_of_our_own_opens_where_no_password_does(secured: SecuredKafka) -> None:
    security = KafkaSecurity(
        protocol=SecurityProtocol.SSL,
        ca_file=secured.ca_file,
        certificate_file=secured.certificate_file,
    )
    changes = {"bootstrap_servers": secured.mutual, "topic_prefix": "mutual-"}
    async with Stand(as_user(secured, "ingest", security=security, **changes)) as stand:
        await stand.bus().start()
    nameless = dataclasses.replace(security, certificate_file=None)
    async with Stand(as_user(secured, "ingest", security=nameless, **changes)) as stand:
        with pytest.raises(KafkaRefused, match="asks for a certificate of ours"):
            await asyncio.wait_for(stand.bus().start(), PATIENCE_SECONDS)


async def test_each_service_starts_with_no_more_than_its_own_rights(secured: SecuredKafka) -> None:
    for service in ("ingest", "extractor", "embedder", "consolidator", "recall", "console"):
        async with Stand(as_user(secured, service)) as stand:
            bus = stand.bus(service)
            await asyncio.wait_for(bus.start(), PATIENCE_SECONDS)
            await bus.check()


async def test_a_chat_service_publishes_with_its_own_rights_and_no_others(
    secured: SecuredKafka,
) -> None:
    async with Stand(as_user(secured, "recall")) as stand:
        await stand.bus("recall").start()
    async with Stand(as_user(secured, "ingest")) as stand:
        heard = Heard()
        await stand.consuming(heard)
        async with client(secured, secured.security("chat-services")) as chat:
            message = Message(
                message_id="1", role="user", text="hello", occurred_at=datetime.now(UTC)
            )
            await chat.save_conversation([message], user_id="ann", session_id=uuid.uuid4().hex)
        await heard.until(1)


@pytest.mark.parametrize(
    ("user", "password", "words"),
    [
        ("chat-services", "not-the-password", "password is wrong"),
        ("stranger", None, "no topic"),
    ],
)
async def test_a_client_that_is_not_let_in_knows_at_once_why(
    secured: SecuredKafka, user: str, password: str | None, words: str
) -> None:
    with pytest.raises(Exception, match=words) as refused:
        async with client(secured, secured.security(user, password), timeout_seconds=10):
            pass
    if password:
        assert isinstance(refused.value, NotAllowed)


async def test_the_doctor_says_it_too(secured: SecuredKafka) -> None:
    settings = Settings.model_validate(
        {
            "kafka_bootstrap_servers": secured.secured,
            "kafka_security_protocol": "SASL_SSL",
            "kafka_user": "ingest",
            "kafka_password": "not-the-password",
            "kafka_ca_file": secured.ca_file,
        }
    )
    finding = await servers.check_kafka(settings)
    assert finding.state is FindingState.ILL
    assert "password is wrong" in finding.words


def client(
    secured: SecuredKafka, security: KafkaSecurity, *, timeout_seconds: float = 15
) -> PalimpsestClient:
    return PalimpsestClient(
        kafka_bootstrap_servers=secured.secured,
        kafka_topic_prefix=PREFIX,
        kafka_security=security,
        timeout_seconds=timeout_seconds,
    )
