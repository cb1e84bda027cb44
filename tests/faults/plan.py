"""Which faults happen to a run and when, by the seed alone."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.faults.scale import Scale
from tests.faults.system import (
    BROKER,
    DATABASE_SERVER,
    LANGUAGE_MODEL,
    MEMORY,
    WRITERS,
)


class Kind(StrEnum):
    KILL = "kill -9"
    STOP = "stopped and resumed"
    GONE = "gone"
    """Killed, and started again only after a while."""
    DISK_FULL = "disk full"
    JOIN = "one more joins"
    LEAVE = "one leaves in order"


@dataclass(frozen=True, kw_only=True)
class Fault:
    kind: Kind
    target: str
    at: float
    """How much of its stage was said by then; 0 to 1."""
    seconds: float = 0.0
    clock_seconds: float = 0.0
    """How wrong the clock is of what is started again."""


ALWAYS_THERE = ("ingest", "extractor", "embedder", "console")


def faults(seed: int, stage: int, scale: Scale) -> Sequence[Fault]:
    """What happens in this stage, counted from 0, in the order of time."""
    chances = random.Random(f"faults {seed} {stage}")
    kinds = list(_to_writers(chances, scale) if stage == 0 else _to_all(chances, stage, scale))
    chances.shuffle(kinds)
    step = 1.0 / (len(kinds) + 1)
    return [
        Fault(
            kind=kind,
            target=target,
            seconds=round(seconds, 1),
            at=round(step * (place + chances.random()), 3),
            clock_seconds=round(chances.uniform(-0.5, 0.5) * scale.clock_skew_seconds, 1),
        )
        for place, (kind, target, seconds) in enumerate(kinds)
    ]


def faults_of_commands(seed: int) -> Sequence[Fault]:
    """What happens while people have something forgotten."""
    chances = random.Random(f"commands {seed}")
    return [
        Fault(kind=Kind.KILL, target=target, at=round(chances.uniform(0.0, 0.6), 3))
        for target in ("console", chances.choice((MEMORY, "embedder")))
    ]


Wanted = tuple[Kind, str, float]


def _to_writers(chances: random.Random, scale: Scale) -> Iterator[Wanted]:
    """Consolidators without vectors come, go, die and stall in the middle of batches."""
    stopping, dying, joining = chances.sample(WRITERS, 3)
    for _ in range(scale.rounds_of_faults):
        yield Kind.KILL, dying, 0.0
        yield Kind.STOP, stopping, _longer_than_a_session(chances, scale)
        yield Kind.LEAVE, joining, 0.0
        yield Kind.JOIN, joining, 0.0
        yield Kind.KILL, chances.choice(ALWAYS_THERE[:3]), 0.0


def _to_all(chances: random.Random, stage: int, scale: Scale) -> Iterator[Wanted]:
    services = (*ALWAYS_THERE, MEMORY)
    if stage == 1:
        yield Kind.GONE, BROKER, scale.broker_gone_seconds
        yield Kind.DISK_FULL, DATABASE_SERVER, scale.disk_full_seconds
        for _ in range(scale.rounds_of_faults):
            for service in services:
                yield Kind.KILL, service, 0.0
            yield Kind.STOP, chances.choice(services), _longer_than_a_session(chances, scale)
            yield Kind.KILL, LANGUAGE_MODEL, 0.0
        yield Kind.STOP, MEMORY, _longer_than_a_session(chances, scale)
        return
    yield Kind.KILL, DATABASE_SERVER, 0.0
    yield Kind.KILL, BROKER, 0.0
    yield Kind.STOP, DATABASE_SERVER, chances.uniform(1.0, scale.longest_stop_seconds)
    yield Kind.STOP, chances.choice(services), chances.uniform(0.5, scale.longest_stop_seconds)
    yield Kind.KILL, chances.choice(services), 0.0
    yield Kind.KILL, MEMORY, 0.0


def _longer_than_a_session(chances: random.Random, scale: Scale) -> float:
    """So that others get its partitions before it goes on."""
    return chances.uniform(4.5, max(4.6, scale.longest_stop_seconds))
