"""An extractor whose model is the fake server, through settings, real clients and HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.model_extraction import ModelExtraction
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.vendors import Vendor
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.ledger import Ledger, ModelRequestState
from palimpsest_server.stores.spending import InMemorySpending
from services.extractor.model_pool import ModelPool
from services.extractor.task_providers import build_capacity_with_fallback
from services.extractor.workers import LEASE_CHECK_SECONDS
from tests.support.given_settings import GivenSettings
from tests.support.models.model_server import Asked, ModelServer, Says, answers
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger

KEY = "sk-very-secret"
BERLIN = "I live in Berlin."


class Clock(Protocol):
    def __call__(self) -> datetime: ...
    def advance(self, by: timedelta) -> None: ...


@dataclass
class Modelled:
    """A world, what its models are counted by, and what they have spent."""

    world: World
    models: ModelPool
    registry: CollectorRegistry
    spending: InMemorySpending

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_model_{name}", labels) or 0.0


@dataclass
class Options:
    vendor: Vendor = Vendor.OPENAI
    fallback: bool = False
    ledger: Ledger = field(default_factory=InMemoryLedger)
    requests_at_once: int = 4
    settings: dict[str, Any] = field(default_factory=dict)
    accounting: CallAccounting | None = None


@asynccontextmanager
async def modelled(
    server: ModelServer, clock: Clock, options: Options | None = None
) -> AsyncIterator[Modelled]:
    options = options or Options()
    registry, spending = CollectorRegistry(), InMemorySpending()
    models = ModelPool(
        settings_for(server, options),
        spending=spending,
        registry=registry,
        clock=clock,
        accounting=options.accounting,
    )
    model = models.of(ModelTask.EXTRACTION)
    assert model is not None
    world = World(
        options.ledger,
        clock,
        model=ModelExtraction(model),
        fallback=LocalExtractor() if options.fallback else None,
        room=build_capacity_with_fallback(model) if options.fallback else model.room,
        requests_at_once=options.requests_at_once,
        maximum_attempts=8,
    )
    try:
        yield Modelled(world, models, registry, spending)
    finally:
        await models.close()


def settings_for(server: ModelServer, options: Options) -> Settings:
    key = SecretStr(KEY)
    return GivenSettings(
        extraction_model=f"{options.vendor}/m-1",
        openai_api_key=key,
        openai_base_url=f"{server.url}/v1",
        anthropic_api_key=key,
        anthropic_base_url=server.url,
        compatible_base_url=f"{server.url}/v1",
        model_prices={f"{options.vendor}/m-1": {"input": 1.0, "cached_input": 0.5, "output": 4.0}},
        **options.settings,
    )


def memory(content: str, n: int, quote: str, **fields: Any) -> dict[str, Any]:
    """A memory as a model notes it."""
    return {
        "kind": "fact",
        "content": content,
        "summary": None,
        "subject": "user",
        "attribute": None,
        "value": None,
        "replaces": None,
        "importance": None,
        "confidence": 0.9,
        "tags": [],
        "entities": [],
        "evidence": [{"n": n, "quote": quote}],
        **fields,
    }


def noted(*memories: dict[str, Any]) -> Says:
    return answers({"memories": list(memories)})


def shown(asked: Asked) -> list[dict[str, Any]]:
    """The messages of a prompt, as the model was shown them."""
    lines = (line for line in asked.text.splitlines() if line.startswith('{"n"'))
    return [json.loads(line) for line in lines]


def faithful(asked: Asked) -> Says:
    """A model that notes each new message as it was said."""
    return noted(
        *(memory(each["text"], each["n"], each["text"]) for each in shown(asked) if each["new"])
    )


GOOD = noted(memory("The user lives in Berlin", 1, BERLIN))
EMPTY = answers({"memories": []})

REPAIRABLE = {
    "truncated": Says(GOOD.text[:40], "cut_short"),
    "half_json": Says(GOOD.text[:-10]),
    "prose_alone": Says("The user lives in Berlin."),
    "wrong_schema": answers({"memories": [{"kind": "fact", "text": "Berlin"}]}),
    "unknown_kind": noted(memory("The user lives in Berlin", 1, BERLIN, kind="secret")),
    "wrong_language": noted(memory("用户住在柏林", 1, BERLIN)),
    "nothing_at_all": Says(""),
}
REASONS = {
    "truncated": "cut_short",
    "half_json": "unreadable_answer",
    "prose_alone": "unreadable_answer",
    "wrong_schema": "wrong_schema",
    "unknown_kind": "wrong_schema",
    "wrong_language": "wrong_language",
    "nothing_at_all": "unreadable_answer",
}


def published(world: World) -> list[CandidatesProposed]:
    return [
        proposed
        for proposed in world.publisher.published
        if isinstance(proposed, CandidatesProposed)
    ]


def contents(world: World) -> list[str]:
    return [candidate.content for event in published(world) for candidate in event.candidates]


async def pending(world: World) -> int:
    return (await world.ledger.backlog()).counts[ModelRequestState.PENDING]


async def later(world: World, clock: Clock, seconds: float) -> None:
    """Once nothing is in hand, so much time passes, and what is due then is begun."""
    await world.until(lambda: not world.workers._in_hand)
    clock.advance(timedelta(seconds=seconds))
    world.wake.set()
    await asyncio.sleep(LEASE_CHECK_SECONDS + 0.03)


def held(world: World, reason: str, times: int) -> bool:
    return world.counted("held_back_total", reason=reason) >= times
