"""Questions to memory, and how quickly it answers."""

from deploy.grafana.expressions import (
    aggregate_gauge,
    default_to_zero,
    legend_for,
    mean,
    quantile_queries,
    rate,
    rate_queries,
)
from deploy.grafana.panels import Dashboard, Panel, Query

_WHOLE = 'step="whole"'

RECALL = Dashboard(
    name="recall",
    title="Palimpsest: recall",
    words="What is asked, how long it takes, and where the time goes.",
    panels=(
        Panel(
            "Recalls",
            "By outcome; `empty`: nothing met the question.",
            rate_queries("recall_requests", "outcome"),
            "reqps",
        ),
        Panel(
            "Time of a recall",
            "Whole, without the network.",
            quantile_queries("recall_step_duration_seconds", where=_WHOLE),
            "s",
            warning=0.1,
        ),
        Panel(
            "Time by step",
            "On average, of each step.",
            (
                Query(
                    mean("recall_step_duration_seconds", "step", where='step!="whole"'),
                    legend_for("step"),
                ),
            ),
            "s",
        ),
        Panel("Results of a recall", "On average.", (Query(mean("recall_results"), "results"),)),
        Panel(
            "Recalls over Kafka",
            "By what came of them.",
            rate_queries("stage_replies", "outcome"),
            "reqps",
        ),
        Panel(
            "Accesses",
            "Recalls whose accesses were counted, or given up.",
            rate_queries("recall_accesses", "outcome"),
            "ops",
        ),
        Panel(
            "Hits that MongoDB did not bear out",
            "The projection is behind for a moment, or drifts.",
            (Query(default_to_zero(rate("recall_dropped_hits", "why")), legend_for("why")),),
            "ops",
        ),
        Panel(
            "Announced changes read",
            "By each process that keeps a cache.",
            rate_queries("stage_changes", "stage", "outcome"),
            "ops",
        ),
        Panel(
            "Requests being answered",
            "Over HTTP.",
            (
                Query(
                    aggregate_gauge("http_requests_in_flight", "instance"), legend_for("instance")
                ),
            ),
        ),
    ),
)
