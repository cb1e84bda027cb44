"""From what was said to what is stored, stage by stage."""

from deploy.grafana.expressions import (
    aggregate_gauge,
    default_to_zero,
    legend_for,
    mean,
    quantile,
    rate,
    rate_queries,
)
from deploy.grafana.panels import Dashboard, Panel, Query

_FOUND = rate("cache_lookups", "what", where='outcome="hit"')

PIPELINE = Dashboard(
    name="pipeline",
    title="Palimpsest: pipeline",
    words="From what was said to what is stored, stage by stage.",
    panels=(
        Panel(
            "Taken in",
            "Events by way and outcome.",
            rate_queries("ingest_events", "way", "outcome"),
            "ops",
        ),
        Panel(
            "Read from Kafka",
            "Records by stage.",
            rate_queries("stage_received_records", "stage"),
            "ops",
        ),
        Panel(
            "Published",
            "Records that Kafka has taken.",
            rate_queries("stage_published_records", "stage", "topic"),
            "ops",
        ),
        Panel(
            "Waits to be read",
            "Records on the topic that its stage has not handled.",
            (
                Query(
                    aggregate_gauge("stage_lag_records", "stage", "topic"),
                    legend_for("stage", "topic"),
                ),
            ),
        ),
        Panel(
            "Freshness by stage",
            "Age of an event when the stage is done with it, 95 of 100.",
            (Query(quantile(0.95, "stage_freshness_seconds", "stage"), legend_for("stage")),),
            "s",
        ),
        Panel(
            "Time of a batch",
            "From its arrival to its end, waits included, 95 of 100.",
            (
                Query(
                    quantile(0.95, "stage_batch_duration_seconds", "stage", "topic"),
                    legend_for("stage", "topic"),
                ),
            ),
            "s",
        ),
        Panel(
            "Records in a batch",
            "On average. Many: the stage is behind, and works at its best.",
            (Query(mean("stage_batch_records", "stage"), legend_for("stage")),),
        ),
        Panel(
            "Stages that wait",
            "1 while a stage waits for Kafka, MongoDB or Qdrant to come back.",
            (
                Query(
                    aggregate_gauge("stage_waiting", "stage", "topic", function="max"),
                    legend_for("stage", "topic"),
                ),
            ),
            warning=1,
        ),
        Panel(
            "Set aside, and failures before it",
            "One event may fail several times before it is found to be the poison of its batch.",
            (
                Query(
                    default_to_zero(rate("stage_dead_letters", "stage", "reason")),
                    "set aside · " + legend_for("stage", "reason"),
                ),
                Query(
                    default_to_zero(rate("stage_failures", "stage", "reason")),
                    "failed · " + legend_for("stage", "reason"),
                ),
            ),
            "ops",
        ),
        Panel(
            "Windows cut",
            "By what cut them, and whether they went to the extractor.",
            rate_queries("ingest_windows", "trigger", "outcome"),
            "ops",
        ),
        Panel(
            "Steps of ingest",
            "95 of 100.",
            (Query(quantile(0.95, "ingest_step_duration_seconds", "step"), legend_for("step")),),
            "s",
        ),
        Panel(
            "Steps of the consolidator",
            "95 of 100.",
            (
                Query(
                    quantile(0.95, "consolidator_step_duration_seconds", "step"), legend_for("step")
                ),
            ),
            "s",
        ),
        Panel(
            "Unfinished change sets",
            "What the reconciler found, and the age of the oldest in seconds.",
            (
                Query(aggregate_gauge("consolidator_unfinished_change_sets"), "unfinished"),
                Query(
                    aggregate_gauge("consolidator_oldest_unfinished_seconds", function="max"),
                    "oldest, s",
                ),
            ),
        ),
        Panel(
            "Found in memory",
            "Of what services looked for there before they read it; settings and sessions live seconds, "
            "memories recalled most as long as nothing changes them.",
            (Query(f"{_FOUND} / {rate('cache_lookups', 'what')}", legend_for("what")),),
            "percentunit",
        ),
        Panel(
            "HTTP requests",
            "By route and status.",
            rate_queries("http_requests", "method", "route", "status"),
            "reqps",
        ),
        Panel(
            "HTTP time",
            "95 of 100, by route.",
            (Query(quantile(0.95, "http_request_duration_seconds", "route"), legend_for("route")),),
            "s",
        ),
        Panel(
            "Delay of the loop",
            "By how much a task is woken late, 99 of 100; above 50 ms something blocks.",
            (Query(quantile(0.99, "host_loop_delay_seconds", "instance"), legend_for("instance")),),
            "s",
            warning=0.05,
        ),
        Panel(
            "Memory of the processes",
            "Resident.",
            (Query('process_resident_memory_bytes{job="palimpsest"}', legend_for("instance")),),
            "bytes",
        ),
        Panel(
            "Processor time",
            "Cores in use.",
            (
                Query(
                    'rate(process_cpu_seconds_total{job="palimpsest"}[$__rate_interval])',
                    legend_for("instance"),
                ),
            ),
        ),
    ),
)
