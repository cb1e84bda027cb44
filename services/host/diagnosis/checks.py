"""All checks, in the order in which they depend on one another."""

import asyncio

from palimpsest_server.embedded import instance
from palimpsest_server.runtime.settings import Mode, Settings
from services.host.command_connections import find_running_settings
from services.host.diagnosis import (
    consumers,
    http_port,
    language_models,
    lost_vectors,
    machine,
    servers,
    vector_room,
    vectors,
)
from services.host.diagnosis.finding import Finding, FindingState, report_doubt


async def diagnose(settings: Settings) -> list[Finding]:
    """Run all checks; none of them changes anything."""
    findings = [
        machine.check_versions(),
        machine.check_data_directory(settings),
        await http_port.check_http_port(settings),
    ]
    findings += machine.check_unknown_settings()
    if settings.mode is Mode.EMBEDDED:
        findings.insert(1, machine.check_embedded_programs())
    findings += [
        language_models.check_language_models(settings),
        vectors.check_similarity(settings),
        *vectors.check_turn_tracking(settings),
    ]
    if any(finding.state is FindingState.ILL for finding in findings):
        return findings  # What would be asked next stands on these.
    reached = find_running_settings(settings)
    if reached is None:
        advice = "Start it with `palimpsest run`; the broker and the database start with it."
        return [
            *findings,
            await vectors.check_vectors(settings),
            report_doubt("services", "not running", advice),
        ]
    on_kafka, on_mongodb, on_vectors = await asyncio.gather(
        servers.check_kafka(reached), servers.check_mongodb(reached), vectors.check_vectors(reached)
    )
    reachable = FindingState.ILL not in {finding.state for finding in (on_vectors, *on_mongodb)}
    further = []
    if reachable:
        further = [*await vector_room.check_vector_room(reached), *await _lost_vectors(reached)]
    return [*findings, on_kafka, *on_mongodb, on_vectors, *further, *await _consumers(reached)]


async def _lost_vectors(reached: Settings) -> list[Finding]:
    if reached.mode is not Mode.EMBEDDED:
        return await lost_vectors.check_sample(reached)
    running = instance.find_instance(reached.data_directory)
    return [] if running is None else await lost_vectors.check_instance(running.http_url)


async def _consumers(reached: Settings) -> list[Finding]:
    running = (
        instance.find_instance(reached.data_directory) if reached.mode is Mode.EMBEDDED else None
    )
    if running is not None:
        return await consumers.check_instance_consumers(running.http_url)
    return await consumers.check_consumer_groups(reached)
