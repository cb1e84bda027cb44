"""The language models of the settings: one guard for each, shared by the tasks that use it."""

import math

from prometheus_client import CollectorRegistry

from palimpsest.domain.budgets import Budget
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import PermanentError
from palimpsest.providers.models.accounting import Accounting
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.breaker import BreakerTimes
from palimpsest.providers.models.budgets import Budgets, Spending
from palimpsest.providers.models.guarding import Allowance, GuardedModel
from palimpsest.providers.models.language_model import Task
from palimpsest.providers.models.metrics import ModelMetrics
from palimpsest.providers.models.prices import FREE, ModelPrices
from palimpsest.providers.models.vendors import Vendor, language_model_named, parted
from palimpsest.runtime.models import reaching
from palimpsest.runtime.settings import Settings

_MILLIONTHS = 1_000_000


class Models:
    """Made when first asked for; nothing is connected to before the first question."""

    def __init__(
        self,
        settings: Settings,
        *,
        spending: Spending,
        registry: CollectorRegistry,
        clock: Clock,
        accounting: Accounting | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._metrics = ModelMetrics(registry)
        self._budgets = Budgets(
            spending,
            each_user=_budget(settings.model_user_daily_tokens, settings.model_user_daily_cost),
            deployment=_budget(
                settings.model_deployment_daily_tokens, settings.model_deployment_daily_cost
            ),
        )
        self._accounting = accounting
        self._guarded: dict[str, GuardedModel] = {}

    def of(self, task: Task) -> TaskModel | None:
        """The model of a task; None where the settings say `local`.

        Raises:
            PermanentError: the settings name no model that can be had, or not its price where
                money is limited.
        """
        name = self._settings.model_of(task)
        if name is None:
            return None
        if name not in self._guarded:
            self._guarded[name] = self._guard(name)
        return TaskModel(self._guarded[name], task, metrics=self._metrics)

    async def close(self) -> None:
        for model in self._guarded.values():
            await model.close()

    def _guard(self, name: str) -> GuardedModel:
        settings = self._settings
        return GuardedModel(
            language_model_named(name, reaching(settings), clock=self._clock),
            prices=self._prices(name),
            budgets=self._budgets,
            allowance=Allowance(
                output_tokens=settings.model_maximum_output_tokens,
                seconds=settings.model_timeout_seconds,
            ),
            breaker=BreakerTimes(
                failures=settings.model_breaker_failures,
                open_seconds=settings.model_breaker_open_seconds,
            ),
            metrics=self._metrics,
            clock=self._clock,
            accounting=self._accounting,
        )

    def _prices(self, name: str) -> ModelPrices:
        settings = self._settings
        limits = (settings.model_user_daily_cost, settings.model_deployment_daily_cost)
        vendor, _ = parted(name)
        if (
            name in settings.model_prices
            or vendor is Vendor.COMPATIBLE
            or not any(limit is not None for limit in limits)
        ):
            return settings.model_prices.get(name, FREE)
        raise PermanentError(
            f"a day's cost is limited, and PALIMPSEST_MODEL_PRICES has no price for {name}"
        )


def _budget(tokens: int | None, cost: float | None) -> Budget:
    return Budget(
        tokens=tokens, millionths=None if cost is None else math.floor(cost * _MILLIONTHS)
    )
