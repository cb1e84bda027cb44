"""Language models and embedders: what they do, take and cost."""

from deploy.grafana.expressions import (
    aggregate_gauge,
    default_to_zero,
    legend_for,
    mean,
    quantile,
    quantile_queries,
    rate,
    rate_queries,
)
from deploy.grafana.panels import Dashboard, Panel, Query

MODELS = Dashboard(
    name="models",
    title="Palimpsest: models and cost",
    words="Those who read conversations, what they cost, and those who turn text into vectors.",
    panels=(
        Panel(
            "Tokens",
            "Of all calls, failed ones included; cached input is part of input.",
            rate_queries("model_tokens", "task", "direction"),
            "ops",
        ),
        Panel(
            "Cost of an hour",
            "At the rate of now, by the prices set, in their currency.",
            (
                Query(
                    f"3600 * {rate('model_cost', 'provider', 'task')}",
                    legend_for("provider", "task"),
                ),
            ),
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
                    quantile(0.95, "model_call_seconds", "provider", "task"),
                    legend_for("provider", "task"),
                ),
            ),
            "s",
        ),
        Panel(
            "Calls without a usable answer",
            "By reason, and those that the rules answered instead.",
            (
                Query(
                    rate("model_failures", "provider", "reason"), legend_for("provider", "reason")
                ),
                Query(
                    rate("extractor_fallbacks", "reason"), "by the rules · " + legend_for("reason")
                ),
            ),
            "ops",
        ),
        Panel(
            "Calls not made",
            "The server is to be left alone, or a day's budget is spent.",
            (
                Query(default_to_zero(rate("model_held_calls", "reason")), legend_for("reason")),
                Query(
                    default_to_zero(rate("model_budget_waits", "budget")),
                    "budget · " + legend_for("budget"),
                ),
            ),
            "ops",
        ),
        Panel(
            "Breaker",
            "0 closed, 1 trying, 2 open: the server is left alone.",
            (
                Query(
                    aggregate_gauge("model_breaker_state", "provider", "model", function="max"),
                    legend_for("provider", "model"),
                ),
            ),
            warning=2,
        ),
        Panel(
            "Attempts",
            "Requests given to a provider.",
            rate_queries("extractor_attempts", "provider"),
            "ops",
        ),
        Panel(
            "Failures",
            "Attempts that failed, by reason.",
            rate_queries("extractor_failures", "provider", "reason"),
            "ops",
        ),
        Panel(
            "Time of an answer",
            "95 of 100.",
            (
                Query(
                    quantile(0.95, "extractor_duration_seconds", "provider"), legend_for("provider")
                ),
            ),
            "s",
        ),
        Panel(
            "Ledger",
            "Requests by state.",
            (Query(aggregate_gauge("extractor_requests", "state"), legend_for("state")),),
        ),
        Panel(
            "Failed for good",
            "Windows and questions that were given up, by reason; how many wait for a replay.",
            (
                Query(
                    'max(palimpsest_extractor_requests{state="failed"})',
                    "wait for a replay",
                ),
                Query(
                    default_to_zero(rate("extractor_set_aside_requests", "reason")),
                    "given up · " + legend_for("reason"),
                ),
            ),
            warning=1,
        ),
        Panel(
            "Characters left out",
            "Of messages that cost the rules more than a second, each second.",
            (Query(rate("extractor_unread_characters"), "characters"),),
        ),
        Panel(
            "Oldest that waits",
            "The health of the extractor: how long the oldest request has waited.",
            (Query(aggregate_gauge("extractor_oldest_pending_seconds", function="max"), "oldest"),),
            "s",
            warning=600,
        ),
        Panel(
            "In hand",
            "Requests leased by each process.",
            (
                Query(
                    aggregate_gauge("extractor_in_hand_requests", "instance"),
                    legend_for("instance"),
                ),
            ),
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
            quantile_queries("embedder_batch_duration_seconds"),
            "s",
        ),
    ),
)
