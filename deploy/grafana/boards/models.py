"""Language models and embedders: what they do, take and cost."""

from deploy.grafana.expressions import by, mean, none_is_zero, of, quantile, quantiles, rate, rates
from deploy.grafana.panels import Dashboard, Panel, Query

MODELS = Dashboard(
    name="models",
    title="Palimpsest: models and cost",
    words="Those who read conversations, what they cost, and those who turn text into vectors.",
    panels=(
        Panel(
            "Tokens",
            "Of all calls, failed ones included; cached input is part of input.",
            rates("model_tokens", "task", "direction"),
            "ops",
        ),
        Panel(
            "Cost of an hour",
            "At the rate of now, by the prices set, in their currency.",
            (Query(f"3600 * {rate('model_cost', 'provider', 'task')}", by("provider", "task")),),
        ),
        Panel(
            "Cost of 1,000 conversations",
            "Of the last day; a conversation is a session that was summed up once it was over.",
            (Query("palimpsest:cost_per_1000_conversations:1d"),),
        ),
        Panel(
            "Time of a call",
            "95 of 100, failed ones included.",
            (
                Query(
                    quantile(0.95, "model_call_seconds", "provider", "task"), by("provider", "task")
                ),
            ),
            "s",
        ),
        Panel(
            "Calls without a usable answer",
            "By reason, and those that the rules answered instead.",
            (
                Query(rate("model_failures", "provider", "reason"), by("provider", "reason")),
                Query(rate("extractor_fallbacks", "reason"), "by the rules · " + by("reason")),
            ),
            "ops",
        ),
        Panel(
            "Calls not made",
            "The server is to be left alone, or a day's budget is spent.",
            (
                Query(none_is_zero(rate("model_held_calls", "reason")), by("reason")),
                Query(
                    none_is_zero(rate("model_budget_waits", "budget")), "budget · " + by("budget")
                ),
            ),
            "ops",
        ),
        Panel(
            "Breaker",
            "0 closed, 1 trying, 2 open: the server is left alone.",
            (
                Query(
                    of("model_breaker_state", "provider", "model", function="max"),
                    by("provider", "model"),
                ),
            ),
            warning=2,
        ),
        Panel(
            "Attempts",
            "Requests given to a provider.",
            rates("extractor_attempts", "provider"),
            "ops",
        ),
        Panel(
            "Failures",
            "Attempts that failed, by reason.",
            rates("extractor_failures", "provider", "reason"),
            "ops",
        ),
        Panel(
            "Time of an answer",
            "95 of 100.",
            (Query(quantile(0.95, "extractor_duration_seconds", "provider"), by("provider")),),
            "s",
        ),
        Panel(
            "Ledger", "Requests by state.", (Query(of("extractor_requests", "state"), by("state")),)
        ),
        Panel(
            "Oldest that waits",
            "The health of the extractor: how long the oldest request has waited.",
            (Query(of("extractor_oldest_pending_seconds", function="max"), "oldest"),),
            "s",
            warning=600,
        ),
        Panel(
            "In hand",
            "Requests leased by each process.",
            (Query(of("extractor_in_hand_requests", "instance"), by("instance")),),
        ),
        Panel(
            "Candidates of an answer",
            "On average.",
            (Query(f"{rate('extractor_candidates')} / {rate('extractor_answers')}", "candidates"),),
        ),
        Panel("Texts embedded", "Each second.", (Query(rate("embedder_texts"), "texts"),), "ops"),
        Panel("Texts of a batch", "On average.", (Query(mean("embedder_batch_texts"), "texts"),)),
        Panel(
            "Time to embed a batch",
            "By quantile.",
            quantiles("embedder_batch_duration_seconds"),
            "s",
        ),
    ),
)
