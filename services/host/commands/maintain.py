"""`palimpsest maintain`."""

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from prometheus_client import CollectorRegistry
from rich.console import Console

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.maintenance import RunMaintenance, build_daily_maintenance
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress, change_set_id
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.scope import Namespace
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.merge_threshold import MergeThreshold
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.namespaces import MongoNamespaces
from palimpsest_server.stores.vector_points import memory_point, memory_text
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.maintenance.preview import MaintenancePreview, preview_maintenance
from services.consolidator.todo_reminders import TodoLookup
from services.host.command_connections import (
    open_command_database,
    require_kafka_settings,
    start_database_if_needed,
)
from services.host.options import JsonOption, load_quiet_settings
from services.host.wrapped_tables import build_wrapped_table

_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.25


def maintain(
    *,
    user: Annotated[str | None, typer.Option(help="Only this user's.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look after every namespace now: forget, merge, compress, reflect, keep to the quota.

    It happens once a day by itself. A dry run compares memories by vectors made for it.
    """
    settings = load_quiet_settings()
    if dry_run:
        rows = [_planned_row(plan) for plan in asyncio.run(_plans(settings, user))]
    else:
        rows = [_done_row(*each) for each in asyncio.run(_run(settings, user))]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    table = build_wrapped_table("user", "agent", "what would change" if dry_run else "what changed")
    for row in rows:
        table.add_row(row["user_id"], row["agent_id"] or "", row["words"])
    Console().print(table if rows else "There is nothing to look after.")


async def _plans(settings: Settings, user: str | None) -> list[MaintenancePreview]:
    async with (
        start_database_if_needed(settings) as reached,
        open_command_database(reached) as database,
    ):
        embedder = build_embedder(reached)
        await embedder.start()
        try:
            return [
                await _plan(namespace, reached, database, embedder)
                for namespace in await _namespaces(database, reached, embedder, user)
            ]
        finally:
            await embedder.stop()


async def _plan(
    namespace: Namespace, settings: Settings, database: MongoDatabase, embedder: Embedder
) -> MaintenancePreview:
    memories = MongoMemories(database, layout=settings.layout)
    active = await memories.active(namespace)
    # A running process may have the vectors open: these are made for this command alone.
    vectors = InMemoryVectorStore(embedder.model)
    if active:
        made = await embedder.embed_documents([memory_text(memory) for memory in active])
        await vectors.upsert([memory_point(*pair) for pair in zip(active, made, strict=True)])
    threshold = MergeThreshold(embedder, settings.similarity_thresholds)
    await threshold.measure()
    maintaining = MaintenanceCoordinator(
        memories,
        TodoLookup(MongoTodos(database)),
        vectors,
        _Nobody(),
        tier=settings.default_tier,
        threshold=lambda: threshold.value,
        clock=system_clock,
    )
    states = await StoredUserStates.in_database(database).of([namespace.user_id])
    own = states[namespace.user_id].settings
    return await preview_maintenance(namespace, maintaining, own, now=system_clock())


class _Nobody:
    """A publisher that publishes nothing."""

    async def publish(self, topic: object, events: object) -> None:
        del topic, events
        raise PermanentError("a preview publishes nothing")


async def _run(settings: Settings, user: str | None) -> list[tuple[RunMaintenance, ChangeSet]]:
    reached = require_kafka_settings(settings)
    async with open_command_database(reached) as database:
        bus = Bus(
            "maintain",
            settings=build_kafka_settings(reached),
            dead_letters=MongoDeadLetters(database),
            registry=CollectorRegistry(),
            clock=system_clock,
        )
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await bus.start()
                runs = await _runs(database, reached, user)
                await bus.publisher.publish(CANDIDATES, runs)
                return await _done(database, runs)
        except TimeoutError:
            raise TransientError(
                "It was asked for, if Kafka answers, and is not done yet: look again later."
            ) from None
        finally:
            await bus.stop()


async def _runs(
    database: MongoDatabase, settings: Settings, user: str | None
) -> list[RunMaintenance]:
    """Build a run in addition to the daily one, for now."""
    now = system_clock()
    namespaces = await _namespaces(database, settings, build_embedder(settings), user)
    states = await StoredUserStates.in_database(database).of(
        {namespace.user_id for namespace in namespaces}
    )
    return [
        build_daily_maintenance(
            namespace, now.date(), now=now, epoch=states[namespace.user_id].epoch
        ).model_copy(
            update={
                "event_id": derive_event_id(
                    "RunMaintenance", namespace.user_id, namespace.agent_id, now.isoformat()
                ),
                "actor": "operator",
            }
        )
        for namespace in namespaces
    ]


async def _done(
    database: MongoDatabase, runs: Sequence[RunMaintenance]
) -> list[tuple[RunMaintenance, ChangeSet]]:
    change_sets = MongoChangeSets(database)
    by_id = {change_set_id(run.user_id, run.event_id): run for run in runs}
    while True:
        found = await change_sets.by_ids(list(by_id))
        applied = [
            change_set
            for change_set in found
            if change_set.progress is not ChangeSetProgress.DECIDED
        ]
        if len(applied) == len(by_id):
            return [(by_id[change_set.id], change_set) for change_set in applied]
        await asyncio.sleep(_LOOK_SECONDS)


async def _namespaces(
    database: MongoDatabase, settings: Settings, embedder: Embedder, user: str | None
) -> list[Namespace]:
    registry = MongoNamespaces(database, layout=settings.layout, model=embedder.model.slug)
    namespaces = [namespace.namespace for namespace in await registry.everything()]
    return sorted(
        (namespace for namespace in namespaces if user is None or namespace.user_id == user),
        key=lambda namespace: (namespace.user_id, namespace.agent_id or ""),
    )


def _planned_row(plan: MaintenancePreview) -> dict[str, Any]:
    made = [proposal.candidate.kind.value for proposal in plan.proposals]
    counts = [f"{count} {what}" for what, count in plan.counts.items()]
    proposed = [f"{len(made)} made of others"] if made else []
    return {
        "user_id": plan.namespace.user_id,
        "agent_id": plan.namespace.agent_id,
        "words": ", ".join(counts + proposed) or "nothing",
        "counts": dict(plan.counts),
        "changes": dict(plan.changes),
        "proposals": [
            {
                "content": proposal.candidate.content,
                "kind": proposal.candidate.kind.value,
                "rests_on": [basis.memory_id for basis in proposal.rests_on],
                "replaces": proposal.replaces,
            }
            for proposal in plan.proposals
        ],
        "complete": plan.complete,
    }


def _done_row(run: RunMaintenance, change_set: ChangeSet) -> dict[str, Any]:
    return {
        "user_id": run.user_id,
        "agent_id": run.agent_id,
        "words": change_set.reason,
        "revision": change_set.revision,
        "change_set_id": change_set.id,
        "changes": {
            change.after.id: f"{change.after.status}: {change.after.status_reason or 'changed'}"
            for change in change_set.memory_changes
        },
    }
