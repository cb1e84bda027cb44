"""Whoever is to read the golden dialogues: the local rules, or a vendor's model, and what it cost."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.domain.budgets import Budget
from palimpsest.domain.clock import system_clock
from palimpsest.domain.errors import PermanentError
from palimpsest.providers.extraction.provider import ExtractionProvider
from palimpsest.providers.extraction.rules.process import LocalRulesProcess
from palimpsest.providers.extraction.with_model import ModelExtraction
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.breaker import BreakerTimes
from palimpsest.providers.models.budgets import Budgets
from palimpsest.providers.models.guarding import Allowance, GuardedModel
from palimpsest.providers.models.language_model import Task
from palimpsest.providers.models.metrics import ModelMetrics
from palimpsest.providers.models.prices import FREE
from palimpsest.providers.models.vendors import Access, Vendor, language_model_named
from palimpsest.runtime.models import reaching
from palimpsest.runtime.settings import Settings
from palimpsest.stores.spending import InMemorySpending


class ProviderName(StrEnum):
    LOCAL = "local"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "compatible"


@dataclass(frozen=True)
class Reader:
    """A provider, started and stopped by whoever has it read."""

    provider: ExtractionProvider
    at_once: int
    """So many dialogues."""
    rules: LocalRulesProcess | None = None
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


AT_ONCE = 8


def reader_of(
    name: ProviderName, *, model: str | None, base_url: str | None, settings: Settings
) -> Reader:
    """The provider of this name; keys, prices and time-outs are those of the settings.

    Raises:
        PermanentError: a vendor without a model, or its key or address is missing.
    """
    if name is ProviderName.LOCAL:
        rules = LocalRulesProcess()
        return Reader(rules, at_once=1, rules=rules)
    if model is None:
        raise PermanentError(f"which model of {name}? Say so with --model")
    whole = f"{name}/{model}"
    ways = reaching(settings)
    vendor = Vendor(name)
    if base_url is not None:
        ways.access[vendor] = Access(key=ways.access[vendor].key, base_url=base_url)
    registry = CollectorRegistry()
    metrics = ModelMetrics(registry)
    guarded = GuardedModel(
        language_model_named(whole, ways, clock=system_clock),
        prices=settings.model_prices.get(whole, FREE),
        budgets=Budgets(InMemorySpending(), each_user=Budget(), deployment=Budget()),
        allowance=Allowance(
            output_tokens=settings.model_maximum_output_tokens,
            seconds=settings.model_timeout_seconds,
        ),
        breaker=BreakerTimes(
            failures=settings.model_breaker_failures,
            open_seconds=settings.model_breaker_open_seconds,
        ),
        metrics=metrics,
        clock=system_clock,
    )
    return Reader(
        ModelExtraction(TaskModel(guarded, Task.EXTRACTION, metrics=metrics)),
        at_once=AT_ONCE,
        model=guarded,
        registry=registry,
        priced=whole in settings.model_prices,
    )
