"""All checks, in the order in which things depend on one another."""

import asyncio

from palimpsest.embedded import instance
from palimpsest.runtime.settings import Mode, Settings
from services.host.diagnosis import consumers, machine, models, port, servers
from services.host.diagnosis.finding import Finding, State, doubtful
from services.host.reaching import of_running


async def diagnose(settings: Settings) -> list[Finding]:
    """Everything that can be told without changing anything."""
    found = [
        machine.versions(),
        machine.data_directory(settings),
        await port.http_port(settings),
    ]
    found += machine.settings_that_are_none()
    if settings.mode is Mode.EMBEDDED:
        found.insert(1, machine.embedded_programs())
    found += [models.language_models(settings), *servers.turns(settings)]
    if any(finding.state is State.ILL for finding in found):
        return found  # What would be asked next stands on these.
    reached = of_running(settings)
    if reached is None:
        advice = "Start it with `palimpsest run`; the broker and the database start with it."
        return [
            *found,
            await servers.vectors(settings),
            doubtful("services", "not running", advice),
        ]
    kafka, mongodb, vectors = await asyncio.gather(
        servers.kafka(reached), servers.mongodb(reached), servers.vectors(reached)
    )
    return [*found, kafka, *mongodb, vectors, *await _consumers(reached)]


async def _consumers(reached: Settings) -> list[Finding]:
    running = instance.find(reached.data_directory) if reached.mode is Mode.EMBEDDED else None
    if running is not None:
        return await consumers.of_instance(running.http_url)
    return await consumers.of_groups(reached)
