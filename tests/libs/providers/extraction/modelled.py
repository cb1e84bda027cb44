"""A window understood by a model at the fake server, through real clients and HTTP."""

from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.domain.budgets import Budget
from palimpsest.domain.clock import Clock
from palimpsest.domain.memory import Candidate
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.proposing import Proposed, propose
from palimpsest.providers.extraction.with_model import ModelExtraction
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.breaker import BreakerTimes
from palimpsest.providers.models.budgets import Budgets
from palimpsest.providers.models.guarding import Allowance, GuardedModel
from palimpsest.providers.models.language_model import LanguageModel, Task
from palimpsest.providers.models.metrics import ModelMetrics
from palimpsest.providers.models.prices import FREE
from palimpsest.providers.models.vendors import Vendor
from palimpsest.stores.spending import InMemorySpending
from tests.fakes.model_server import ModelServer
from tests.libs.providers.models.answering import model_at
from tests.services.extractor.modelled import memory

SEEN = "An orange kitten asleep in a shoe box labelled Mochi."


def found(content: str, quote: str, **fields: object) -> dict[str, Any]:
    return {
        "memories": [memory(content, 1, quote)],
        "seen": [{"n": 1, "description": SEEN}],
        **fields,
    }


async def understood(
    server: ModelServer, vendor: Vendor, clock: Clock, asked: ExtractionRequested, *, sees: bool
) -> Proposed:
    model = model_at(server, vendor, clock)
    return await understood_by(
        model, Allowance(output_tokens=500, seconds=10), clock, asked, sees=sees
    )


async def understood_by(
    asking: LanguageModel,
    allowance: Allowance,
    clock: Clock,
    asked: ExtractionRequested,
    *,
    sees: bool = False,
) -> Proposed:
    metrics = ModelMetrics(CollectorRegistry())
    guarded = GuardedModel(
        asking,
        prices=FREE,
        budgets=Budgets(InMemorySpending(), each_user=Budget(), deployment=Budget()),
        allowance=allowance,
        breaker=BreakerTimes(failures=5, open_seconds=30),
        metrics=metrics,
        clock=clock,
    )
    model = TaskModel(guarded, Task.EXTRACTION, metrics=metrics)
    try:
        answer = await ModelExtraction(model, sees=sees).extract(request_of(asked))
    finally:
        await guarded.close()
    return propose(asked, answer, provider=model.name)


def only(proposed: Proposed) -> Candidate:
    (candidate,) = proposed.event.candidates
    return candidate
