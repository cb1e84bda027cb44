"""A window understood by a model at the fake server, through real clients and HTTP."""

from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Candidate
from palimpsest_server.domain.budgets import Budget
from palimpsest_server.extraction.candidate_event import ProposedCandidates, propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.model_extraction import ModelExtraction
from palimpsest_server.models.budget_reservations import BudgetLimiter
from palimpsest_server.models.circuit_breaker import BreakerSettings
from palimpsest_server.models.guarded_model import CallAllowance, GuardedModel
from palimpsest_server.models.language_model import LanguageModel, ModelTask
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import FREE
from palimpsest_server.models.task_model import TaskModel
from palimpsest_server.models.vendors import Vendor
from palimpsest_server.stores.spending import InMemorySpending
from tests.support.models.model_server import ModelServer
from tests.support.server.models.answering import model_at
from tests.support.services.extractor.modelled import memory

SEEN = "An orange kitten asleep in a shoe box labelled Mochi."


def found(content: str, quote: str, **fields: object) -> dict[str, Any]:
    return {
        "memories": [memory(content, 1, quote)],
        "seen": [{"n": 1, "description": SEEN}],
        **fields,
    }


async def understood(
    server: ModelServer, vendor: Vendor, clock: Clock, asked: ExtractionRequested, *, sees: bool
) -> ProposedCandidates:
    model = model_at(server, vendor, clock)
    return await understood_by(
        model, CallAllowance(output_tokens=500, seconds=10), clock, asked, sees=sees
    )


async def understood_by(
    asking: LanguageModel,
    allowance: CallAllowance,
    clock: Clock,
    asked: ExtractionRequested,
    *,
    sees: bool = False,
) -> ProposedCandidates:
    metrics = ModelMetrics(CollectorRegistry())
    guarded = GuardedModel(
        asking,
        prices=FREE,
        budgets=BudgetLimiter(InMemorySpending(), each_user=Budget(), deployment=Budget()),
        allowance=allowance,
        breaker=BreakerSettings(failures=5, open_seconds=30),
        metrics=metrics,
        clock=clock,
    )
    model = TaskModel(guarded, ModelTask.EXTRACTION, metrics=metrics)
    try:
        answer = await ModelExtraction(model, sees=sees).extract(build_extraction_request(asked))
    finally:
        await guarded.close()
    return propose_candidates(asked, answer, provider=model.name)


def only(proposed: ProposedCandidates) -> Candidate:
    (candidate,) = proposed.event.candidates
    return candidate
