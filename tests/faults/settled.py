"""Whether everything is done: nothing unread, nothing waiting, nothing half finished."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from pymongo.errors import PyMongoError

from palimpsest.events.topics import (
    CANDIDATES,
    CONVERSATIONS,
    EXTRACTIONS,
    USER_COMMANDS,
    WRITES,
    Topic,
)
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest_server.stores.collections import (
    CHANGE_SETS,
    LEDGER,
    PROFILE_NEEDS,
    REQUESTS,
    SESSIONS,
    SUMMARY_NEEDS,
    TURNS,
    WINDOWS,
    MongoCollection,
)
from palimpsest_server.stores.ledger import ModelRequestState
from palimpsest_server.stores.outbox import OutboxState
from tests.faults.system import DATABASE, PARTITIONS, System

READ: Mapping[Topic, str] = {
    topic: topic.readers[0]
    for topic in (CONVERSATIONS, USER_COMMANDS, EXTRACTIONS, CANDIDATES, WRITES)
}
POLL_SECONDS = 0.6
LOOKS = 3
"""So often in a row nothing may be open: what one process has finished another may begin with."""

SOON = timedelta(hours=1)
"""A profile that is due is asked for some seconds after the last news, one that is not in a week;
what a model says in vain is asked for again in ten minutes, which nobody waits for."""

NOT_CONFIRMED = [state.value for state in (OutboxState.STORED, OutboxState.PUBLISHED)]
UNDER_WAY = [state.value for state in (ModelRequestState.PENDING, ModelRequestState.LEASED)]


class NeverSettled(Exception):
    """It took longer than anybody waits; with what is still open."""


async def settled(
    system: System, *, within_seconds: float, projected: bool, say: Callable[[str], None]
) -> None:
    """Return when all that was taken has had its effect.

    Args:
        system: broker and database may still be coming back.
        within_seconds: how long it may take.
        projected: whether there is somebody who can finish projections.
        say: told what is still open, so that whoever waits for long sees for what.

    Raises:
        NeverSettled
    """
    left: Mapping[str, int] = {"nothing was looked at": 1}
    quiet = 0
    try:
        async with asyncio.timeout(within_seconds):
            while quiet < LOOKS:
                try:
                    left = await unfinished(system, projected=projected)
                except (KafkaError, PyMongoError, ConnectionError) as error:
                    left = {type(error).__name__: 1}
                quiet = 0 if any(left.values()) else quiet + 1
                say(f"waiting for {_open(left)}")
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        waiting = await _waiting_for_the_model(system)
        raise NeverSettled(f"after {within_seconds:.0f} s: {_open(left)}; {waiting}") from None


def _open(left: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in left.items() if count) or "nothing more"


async def _waiting_for_the_model(system: System) -> list[str]:
    """What is known of the requests that wait, but for what they say."""
    found = system.mongodb[DATABASE][LEDGER.name].find(
        {"state": {"$in": UNDER_WAY}}, {"request": 0, "answer": 0}
    )
    return [str(each) for each in await found.to_list(5)]


async def unfinished(system: System, *, projected: bool) -> Mapping[str, int]:
    """How much of each kind is open.

    In the order in which one becomes the next, and what is unread before and behind it: what goes
    on meanwhile is met there.
    """
    finished = (
        [ChangeSetProgress.ANNOUNCED]
        if projected
        else [ChangeSetProgress.ANNOUNCED, ChangeSetProgress.APPLIED]
    )
    unread = await lag(system)
    before_the_ledger = {
        **await _counted(
            system,
            {
                "turns without a number": (TURNS, {"unnumbered": True}),
                "turns without a place": (TURNS, {"sequence": None}),
                "requests without effect": (REQUESTS, {"state": {"$in": NOT_CONFIRMED}}),
            },
        ),
        "sessions not cut to their ends": await _not_cut(system),
    }
    questions: dict[str, tuple[MongoCollection, dict[str, Any]]] = {
        "windows not sent": (WINDOWS, {"state": OutboxState.STORED}),
        "sessions not summed up": (SUMMARY_NEEDS, {}),
        "requests to the model": (LEDGER, {"state": {"$in": UNDER_WAY}}),
        "answers not sent": (LEDGER, {"state": ModelRequestState.ANSWERED}),
        "answers without effect": (LEDGER, {"state": ModelRequestState.PUBLISHED}),
        "change sets not finished": (CHANGE_SETS, {"progress": {"$nin": finished}}),
    }
    if projected:
        soon = datetime.now(UTC) + SOON
        questions["profiles not asked for"] = (
            PROFILE_NEEDS,
            {"asked": 0, "look_at": {"$lt": soon}},
        )
    behind_it = await _counted(system, questions)
    still_unread = await lag(system)
    return {
        **before_the_ledger,
        **behind_it,
        **{topic: max(count, still_unread[topic]) for topic, count in unread.items()},
    }


async def _counted(
    system: System, questions: Mapping[str, tuple[MongoCollection, dict[str, Any]]]
) -> Mapping[str, int]:
    database = system.mongodb[DATABASE]
    return {
        what: await database[table.name].count_documents(query)
        for what, (table, query) in questions.items()
    }


async def _not_cut(system: System) -> int:
    sessions = await system.mongodb[DATABASE][SESSIONS.name].find().to_list()
    return sum(
        session[how_far] < session["last_sequence"]
        for session in sessions
        for how_far in ("published_through", "windowed_through")
    )


async def lag(system: System) -> Mapping[str, int]:
    """Records that nobody has put behind them, by topic."""
    settings = system.kafka
    servers = settings.bootstrap_servers
    admin = AIOKafkaAdminClient(bootstrap_servers=servers, request_timeout_ms=5_000)
    consumer = AIOKafkaConsumer(bootstrap_servers=servers, request_timeout_ms=5_000)
    try:
        await admin.start()
        await consumer.start()
        behind = {}
        for topic, service in READ.items():
            partitions = list(_partitions(settings.physical(topic)))
            ends = await consumer.end_offsets(partitions)
            committed = await admin.list_consumer_group_offsets(settings.group(service))
            behind[f"unread on {topic.name}"] = sum(
                end - max(committed[partition].offset if partition in committed else 0, 0)
                for partition, end in ends.items()
            )
        return behind
    finally:
        await consumer.stop()
        await admin.close()


def _partitions(topic: str) -> Iterator[TopicPartition]:
    return (TopicPartition(topic, number) for number in range(PARTITIONS))
