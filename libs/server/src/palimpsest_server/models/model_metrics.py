"""Metrics of model usage; never by user."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from palimpsest_server.models.circuit_breaker import BreakerState
from palimpsest_server.models.language_model import ModelTask, TokenUsage
from palimpsest_server.models.model_errors import BudgetOwner

_DURATION_BUCKETS_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)

_STATES = {BreakerState.CLOSED: 0, BreakerState.TRYING: 1, BreakerState.OPEN: 2}


class ModelMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, words: str, *labels: str) -> Counter:
            return Counter(f"palimpsest_model_{name}_total", words, labels, registry=registry)

        self.tokens = counter(
            "tokens",
            "Tokens of all calls, failed ones included; cached_input is part of input",
            "provider",
            "task",
            "direction",
        )
        self.cost = counter("cost", "What they cost, by the prices set", "provider", "task")
        self.failures = counter(
            "failures", "Calls without a usable answer", "provider", "task", "reason"
        )
        self.repairs = counter("repairs", "Answers asked for once more", "provider", "task")
        self.held = counter(
            "held_calls",
            "Calls not made because the server is to be left alone",
            "provider",
            "task",
            "reason",
        )
        self.budget_waits = counter(
            "budget_waits", "Calls not made because a day's budget was spent", "task", "budget"
        )
        self.duration = Histogram(
            "palimpsest_model_call_seconds",
            "Time of a call, failed ones included",
            ["provider", "task"],
            registry=registry,
            buckets=_DURATION_BUCKETS_SECONDS,
        )
        self.paused_until = Gauge(
            "palimpsest_model_paused_until_timestamp_seconds",
            "Until when a model is left alone, because it asked for that or its budget is spent",
            ["provider", "model"],
            registry=registry,
        )
        self.breaker = Gauge(
            "palimpsest_model_breaker_state",
            "0 closed, 1 trying whether the server is back, 2 open",
            ["provider", "model"],
            registry=registry,
        )

    def used(self, provider: str, task: ModelTask, usage: TokenUsage, millionths: int) -> None:
        for direction, tokens in (
            ("input", usage.input_tokens),
            ("cached_input", usage.cached_input_tokens),
            ("output", usage.output_tokens),
        ):
            self.tokens.labels(provider, task, direction).inc(tokens)
        self.cost.labels(provider, task).inc(millionths / 1_000_000)

    def failed(self, provider: str, task: ModelTask, reason: str) -> None:
        self.failures.labels(provider, task, reason).inc()

    def waits(self, task: ModelTask, budget: BudgetOwner) -> None:
        self.budget_waits.labels(task, budget).inc()

    def stands(self, provider: str, model: str, state: BreakerState) -> None:
        self.breaker.labels(provider, model).set(_STATES[state])
