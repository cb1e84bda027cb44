"""What is asked of memory, and how quickly it answers."""

from deploy.grafana.expressions import by, mean, none_is_zero, of, quantiles, rate, rates
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
            rates("recall_requests", "outcome"),
            "reqps",
        ),
        Panel(
            "Time of a recall",
            "Whole, without the network.",
            quantiles("recall_step_duration_seconds", where=_WHOLE),
            "s",
            warning=0.1,
        ),
        Panel(
            "Time by step",
            "On average, of each step.",
            (
                Query(
                    mean("recall_step_duration_seconds", "step", where='step!="whole"'), by("step")
                ),
            ),
            "s",
        ),
        Panel("Results of a recall", "On average.", (Query(mean("recall_results"), "results"),)),
        Panel(
            "Recalls over Kafka",
            "By what came of them.",
            rates("stage_replies", "outcome"),
            "reqps",
        ),
        Panel(
            "Accesses",
            "Recalls whose accesses were counted, or given up.",
            rates("recall_accesses", "outcome"),
            "ops",
        ),
        Panel(
            "Hits that MongoDB did not bear out",
            "The projection is behind for a moment, or drifts.",
            (Query(none_is_zero(rate("recall_dropped_hits", "why")), by("why")),),
            "ops",
        ),
        Panel(
            "Announced changes read",
            "By each process that keeps a cache.",
            rates("stage_changes", "stage", "outcome"),
            "ops",
        ),
        Panel(
            "Requests being answered",
            "Over HTTP.",
            (Query(of("http_requests_in_flight", "instance"), by("instance")),),
        ),
    ),
)
