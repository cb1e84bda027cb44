"""The language models of the settings: one guard for each, shared by its tasks."""

import math

from prometheus_client import CollectorRegistry

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.budgets import Budget
from palimpsest_server.models.budget_reservations import BudgetCounter, BudgetLimiter
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.models.circuit_breaker import BreakerSettings
from palimpsest_server.models.guarded_model import CallAllowance, GuardedModel
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import FREE, ModelPrices
from palimpsest_server.models.task_model import TaskModel
from palimpsest_server.models.vendors import Vendor, create_language_model, split_model_name
from palimpsest_server.runtime.configured_models import build_vendor_connections
from palimpsest_server.runtime.settings import Settings

_MILLIONTHS = 1_000_000


class ModelPool:
    """Builds each model at its first use; nothing is connected before the first question."""

    def __init__(
        self,
        settings: Settings,
        *,
        spending: BudgetCounter,
        registry: CollectorRegistry,
        clock: Clock,
        accounting: CallAccounting | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._metrics = ModelMetrics(registry)
        self._budgets = BudgetLimiter(
            spending,
            each_user=_budget(settings.model_user_daily_tokens, settings.model_user_daily_cost),
            deployment=_budget(
                settings.model_deployment_daily_tokens, settings.model_deployment_daily_cost
            ),
        )
        self._accounting = accounting
        self._guarded: dict[str, GuardedModel] = {}

    def of(self, task: ModelTask) -> TaskModel | None:
        """Return the model of a task; None if the settings say `local`.

        Raises:
            PermanentError: the settings name an unavailable model, or no price although money is
                limited.
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
            create_language_model(name, build_vendor_connections(settings), clock=self._clock),
            prices=self._prices(name),
            budgets=self._budgets,
            allowance=CallAllowance(
                output_tokens=settings.model_maximum_output_tokens,
                seconds=settings.model_timeout_seconds,
            ),
            breaker=BreakerSettings(
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
        vendor, _ = split_model_name(name)
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
