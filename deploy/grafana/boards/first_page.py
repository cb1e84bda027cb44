"""The operator's first page: the five things that matter."""

from deploy.grafana.expressions import (
    aggregate_gauge,
    default_to_zero,
    legend_for,
    quantile,
    quantile_queries,
    rate,
)
from deploy.grafana.panels import Dashboard, Panel, Query

_WHOLE = 'step="whole"'
_RECALLABLE = 'stage="consolidator", topic="writes"'
SET_ASIDE = "sum(palimpsest:dead_letters:increase_15m) / 900"
"""The first of a kind brings its counter with it: its rate would be none."""

FIRST_PAGE = Dashboard(
    name="first-page",
    title="Palimpsest: first page",
    words="The five things that matter. Where one is red, the runbook of its alert says what to do.",
    panels=(
        Panel(
            "Is everything there?",
            "Processes that answer Prometheus, of those that should.",
            (
                Query('sum(up{job="palimpsest"})', "answer"),
                Query('count(up{job="palimpsest"})', "should"),
            ),
            kind="stat",
            width=6,
        ),
        Panel(
            "How soon is it remembered?",
            "From the taking in of an event to its being recallable, 95 of 100.",
            (Query(quantile(0.95, "stage_freshness_seconds", where=_RECALLABLE), "p95"),),
            unit="s",
            width=9,
            warning=5,
        ),
        Panel(
            "How long does a recall take?",
            "As recall itself measures it, without the network.",
            quantile_queries("recall_step_duration_seconds", where=_WHOLE),
            unit="s",
            width=9,
            warning=0.1,
        ),
        Panel(
            "What waits?",
            "Records not handled yet, by stage; beside it requests that wait for a model.",
            (
                Query(aggregate_gauge("stage_lag_records", "stage"), legend_for("stage")),
                Query(aggregate_gauge('extractor_requests{state="pending"}'), "for a model"),
            ),
            width=12,
            warning=5_000,
        ),
        Panel(
            "What fails?",
            "Events set aside and requests answered with an error of ours, each second.",
            (
                Query(default_to_zero(SET_ASIDE), "dead letters"),
                Query(default_to_zero(rate("http_requests", where='status=~"5.."')), "HTTP 5xx"),
                Query(
                    default_to_zero(rate("recall_requests", where='outcome="failed"')), "recalls"
                ),
            ),
            unit="ops",
            width=12,
            warning=0.01,
        ),
    ),
)
