"""Checks of Kafka and MongoDB, as the services would reach them."""

import asyncio

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from palimpsest.events.kafka_refusals import diagnose_refusal
from palimpsest.events.kafka_security import WrongSecuritySettings
from palimpsest.events.topics import TOPICS
from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.kafka_settings import build_kafka_security, build_kafka_settings
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.ledger import ModelRequestState
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from services.host.diagnosis.database_version import check_database_version
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

_SECONDS = 6.0
_MANY_LETTERS = 1_000


async def check_kafka(settings: Settings) -> Finding:
    """Check that Kafka answers and has the topics of the table."""
    address = settings.kafka_bootstrap_servers
    try:
        security = build_kafka_security(settings)
        admin = AIOKafkaAdminClient(bootstrap_servers=address, **security.options())
    except WrongSecuritySettings as error:
        return report_failure(
            "Kafka", str(error), "Correct PALIMPSEST_KAFKA_SECURITY_PROTOCOL and the rest."
        )
    try:
        async with asyncio.timeout(_SECONDS):
            await admin.start()
            found = set(await admin.list_topics())
    except (KafkaError, OSError, TimeoutError) as error:
        if refused := await diagnose_refusal(address, security):
            return report_failure(
                "Kafka", str(refused), "Correct PALIMPSEST_KAFKA_USER and the rest."
            )
        return report_failure(
            "Kafka",
            f"{address} does not answer ({describe_error(error)})",
            "Start it, or correct PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS.",
        )
    finally:
        await admin.close()
    missing = [
        name
        for name in (build_kafka_settings(settings).physical(topic) for topic in TOPICS)
        if name not in found
    ]
    if missing:
        return report_doubt(
            "Kafka",
            f"{address} answers, without the topics {', '.join(missing)}",
            "The first service that starts makes them, if it may create topics.",
        )
    return report_ok("Kafka", f"{address} answers and has all {len(TOPICS)} topics")


async def check_mongodb(settings: Settings) -> list[Finding]:
    """Check that MongoDB answers, and report waiting dead letters."""
    try:
        database = open_database(settings)
    except PalimpsestError as error:
        advice = "Correct PALIMPSEST_MONGODB_URL or PALIMPSEST_ENCRYPTION_KEY, as it says."
        return [report_failure("MongoDB", str(error), advice)]
    try:
        await database.ping()
        if unreadable := await _unreadable(database):
            return [unreadable]
        versions = await check_database_version(database, settings)
        letters = await MongoDeadLetters(database).list(limit=_MANY_LETTERS)
        failed = (await MongoLedger(database).backlog()).counts[ModelRequestState.FAILED]
    except PalimpsestError as error:
        return [
            report_failure("MongoDB", str(error), "Start it, or correct PALIMPSEST_MONGODB_URL.")
        ]
    finally:
        database.close()
    findings = [
        report_ok("MongoDB", f"answers; the database is {settings.mongodb_database}"),
        *versions,
    ]
    if letters:
        number = f"{len(letters)}{' or more' if len(letters) == _MANY_LETTERS else ''}"
        findings.append(
            report_doubt(
                "dead letters",
                f"{number} wait for somebody",
                "See `palimpsest dead-letters list`; `replay` has them read again.",
            )
        )
    if failed:
        findings.append(
            report_doubt(
                "extraction",
                f"{failed} windows or questions failed for good; their messages are kept and recalled",
                "See `palimpsest dead-letters list --stage extractor`; `replay` has them understood.",
            )
        )
    return findings


async def _unreadable(database: MongoDatabase) -> Finding | None:
    try:
        await database.ensure_keys()
    except PermanentError as error:
        advice = "Give every service the master key, and those from before while they are needed."
        return report_failure("encryption", str(error), advice)
    return None
