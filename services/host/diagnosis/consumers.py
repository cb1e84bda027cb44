"""Whether the services read what is written: their own word, or Kafka's."""

import asyncio

import httpx
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from palimpsest.runtime.http.probes import Readiness
from palimpsest.runtime.kafka import kafka_settings
from palimpsest.runtime.settings import Settings
from services.host.building import CONSUMING
from services.host.diagnosis.finding import Finding, doubtful, ill, well

_SECONDS = 6.0
_STABLE = "Stable"


async def of_instance(http_url: str) -> list[Finding]:
    """What a running instance says of itself."""
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, trust_env=False) as client:
            answer = Readiness.model_validate_json((await client.get(f"{http_url}/readyz")).content)
    except (httpx.HTTPError, ValueError) as error:
        problem = f"{http_url}/readyz does not answer ({type(error).__name__})"
        return [ill("services", problem, "Look at its output; stop it and start it again.")]
    if answer.ready:
        names = sorted({check.service for check in answer.checks})
        return [well("services", f"ready: {', '.join(names)}")]
    return [
        ill(
            f"{check.service}: {check.check}",
            check.problem or "not ready",
            "Where it has just started, wait a few seconds and ask again.",
        )
        for check in answer.checks
        if not check.ready
    ]


async def of_groups(settings: Settings) -> list[Finding]:
    """What Kafka says of the groups, where the services run who knows where."""
    admin = AIOKafkaAdminClient(bootstrap_servers=settings.kafka_bootstrap_servers)
    names = {kafka_settings(settings).group(service): service for service in CONSUMING}
    try:
        async with asyncio.timeout(_SECONDS):
            await admin.start()
            answers = await admin.describe_consumer_groups(list(names))
    except (KafkaError, OSError, TimeoutError, ValueError) as error:
        # That Kafka is away is a finding of its own; some brokers answer in a way of their own.
        words = f"Kafka does not tell who reads ({type(error).__name__})"
        return [doubtful("consumers", words, "Ask the services themselves: GET /readyz.")]
    finally:
        await admin.close()
    states = {group[1]: group[2] for answer in answers for group in answer.groups}
    missing = sorted(names[group] for group, state in states.items() if state != _STABLE)
    if missing:
        words = f"nobody reads, or a rebalance is on, for {', '.join(missing)}"
        return [ill("consumers", words, f"Start them: `palimpsest serve {' '.join(missing)}`.")]
    return [well("consumers", f"every group has its readers: {', '.join(sorted(names.values()))}")]
