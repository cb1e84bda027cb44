"""The readers of golden dialogues: the local rules, or a vendor's model and its cost."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.budgets import Budget
from palimpsest_server.extraction.local_extractor_process import LocalExtractorProcess
from palimpsest_server.extraction.model_extraction import ModelExtraction
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.models.budget_reservations import BudgetLimiter
from palimpsest_server.models.circuit_breaker import BreakerSettings
from palimpsest_server.models.guarded_model import CallAllowance, GuardedModel
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import FREE
from palimpsest_server.models.task_model import TaskModel
from palimpsest_server.models.vendors import Vendor, VendorAccess, create_language_model
from palimpsest_server.runtime.configured_models import build_vendor_connections
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.spending import InMemorySpending


class ReaderName(StrEnum):
    LOCAL = "local"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "compatible"


@dataclass(frozen=True)
class DialogueReader:
    """A provider, started and stopped by whoever has it read."""

    provider: ExtractionProvider
    at_once: int
    """So many dialogues."""
    rules: LocalExtractorProcess | None = None
    model: GuardedModel | None = None
    registry: CollectorRegistry | None = None
    priced: bool = False

    async def start(self) -> None:
        if self.rules is not None:
            await self.rules.start()

    async def stop(self) -> None:
        if self.rules is not None:
            await self.rules.stop()
        if self.model is not None:
            await self.model.close()

    def spent(self) -> dict[str, Any] | None:
        """Tokens by direction, and what they cost by the prices set; None for what costs nothing."""
        if self.registry is None:
            return None
        tokens: dict[str, int] = {}
        cost = 0.0
        for metric in self.registry.collect():
            for sample in metric.samples:
                if sample.name == "palimpsest_model_tokens_total":
                    direction = sample.labels["direction"]
                    tokens[direction] = tokens.get(direction, 0) + int(sample.value)
                elif sample.name == "palimpsest_model_cost_total":
                    cost += sample.value
        return {"tokens": tokens, "cost": round(cost, 6) if self.priced else None}


CONCURRENT_DIALOGUES = 8


def build_reader(
    name: ReaderName, *, model: str | None, base_url: str | None, settings: Settings
) -> DialogueReader:
    """The provider of this name; keys, prices and time-outs are those of the settings.

    Raises:
        PermanentError: a vendor without a model, or its key or address is missing.
    """
    if name is ReaderName.LOCAL:
        rules = LocalExtractorProcess()
        return DialogueReader(rules, at_once=1, rules=rules)
    if model is None:
        raise PermanentError(f"which model of {name}? Say so with --model")
    whole = f"{name}/{model}"
    ways = build_vendor_connections(settings)
    vendor = Vendor(name)
    if base_url is not None:
        ways.access[vendor] = VendorAccess(key=ways.access[vendor].key, base_url=base_url)
    registry = CollectorRegistry()
    metrics = ModelMetrics(registry)
    guarded = GuardedModel(
        create_language_model(whole, ways, clock=system_clock),
        prices=settings.model_prices.get(whole, FREE),
        budgets=BudgetLimiter(InMemorySpending(), each_user=Budget(), deployment=Budget()),
        allowance=CallAllowance(
            output_tokens=settings.model_maximum_output_tokens,
            seconds=settings.model_timeout_seconds,
        ),
        breaker=BreakerSettings(
            failures=settings.model_breaker_failures,
            open_seconds=settings.model_breaker_open_seconds,
        ),
        metrics=metrics,
        clock=system_clock,
    )
    return DialogueReader(
        ModelExtraction(TaskModel(guarded, ModelTask.EXTRACTION, metrics=metrics)),
        at_once=CONCURRENT_DIALOGUES,
        model=guarded,
        registry=registry,
        priced=whole in settings.model_prices,
    )
