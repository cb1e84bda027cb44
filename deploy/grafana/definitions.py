"""The five dashboards. Every panel's metrics exist in the code; a test holds them to it."""

from deploy.grafana.expressions import (
    by,
    mean,
    none_is_zero,
    of,
    quantile,
    quantiles,
    rate,
    rates,
)
from deploy.grafana.panels import Dashboard, Panel, Query

_WHOLE = 'step="whole"'
_RECALLABLE = 'stage="consolidator", topic="writes"'
_STATED = 'outcome=~"added|added as past|superseded|reinforced|duplicate"'
_RESTATED = 'outcome=~"reinforced|duplicate"'
_CHIT_CHAT = rate("ingest_windows", where='outcome="chit_chat"')

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
            quantiles("recall_step_duration_seconds", where=_WHOLE),
            unit="s",
            width=9,
            warning=0.1,
        ),
        Panel(
            "What waits?",
            "Records not handled yet, by stage; beside it requests that wait for a model.",
            (
                Query(of("stage_lag_records", "stage"), by("stage")),
                Query(of('extractor_requests{state="pending"}'), "for a model"),
            ),
            width=12,
            warning=5_000,
        ),
        Panel(
            "What fails?",
            "Events set aside and requests answered with an error of ours, each second.",
            (
                Query(none_is_zero(rate("stage_dead_letters")), "dead letters"),
                Query(none_is_zero(rate("http_requests", where='status=~"5.."')), "HTTP 5xx"),
                Query(none_is_zero(rate("recall_requests", where='outcome="failed"')), "recalls"),
            ),
            unit="ops",
            width=12,
            warning=0.01,
        ),
    ),
)

PIPELINE = Dashboard(
    name="pipeline",
    title="Palimpsest: pipeline",
    words="From what was said to what is stored, stage by stage.",
    panels=(
        Panel(
            "Taken in",
            "Events by way and outcome.",
            rates("ingest_events", "way", "outcome"),
            "ops",
        ),
        Panel(
            "Read from Kafka", "Records by stage.", rates("stage_received_records", "stage"), "ops"
        ),
        Panel(
            "Published",
            "Records that Kafka has taken.",
            rates("stage_published_records", "stage", "topic"),
            "ops",
        ),
        Panel(
            "Waits to be read",
            "Records on the topic that its stage has not handled.",
            (Query(of("stage_lag_records", "stage", "topic"), by("stage", "topic")),),
        ),
        Panel(
            "Freshness by stage",
            "Age of an event when the stage is done with it, 95 of 100.",
            (Query(quantile(0.95, "stage_freshness_seconds", "stage"), by("stage")),),
            "s",
        ),
        Panel(
            "Time of a batch",
            "From its arrival to its end, waits included, 95 of 100.",
            (
                Query(
                    quantile(0.95, "stage_batch_duration_seconds", "stage", "topic"),
                    by("stage", "topic"),
                ),
            ),
            "s",
        ),
        Panel(
            "Records in a batch",
            "On average. Many: the stage is behind, and works at its best.",
            (Query(mean("stage_batch_records", "stage"), by("stage")),),
        ),
        Panel(
            "Stages that wait",
            "1 while a stage waits for Kafka, MongoDB or Qdrant to come back.",
            (Query(of("stage_waiting", "stage", "topic", function="max"), by("stage", "topic")),),
            warning=1,
        ),
        Panel(
            "Set aside, and failures before it",
            "One event may fail several times before it is found to be the poison of its batch.",
            (
                Query(
                    none_is_zero(rate("stage_dead_letters", "stage", "reason")),
                    "set aside · " + by("stage", "reason"),
                ),
                Query(
                    none_is_zero(rate("stage_failures", "stage", "reason")),
                    "failed · " + by("stage", "reason"),
                ),
            ),
            "ops",
        ),
        Panel(
            "Windows cut",
            "By what cut them, and whether they went to the extractor.",
            rates("ingest_windows", "trigger", "outcome"),
            "ops",
        ),
        Panel(
            "Steps of ingest",
            "95 of 100.",
            (Query(quantile(0.95, "ingest_step_duration_seconds", "step"), by("step")),),
            "s",
        ),
        Panel(
            "Steps of the consolidator",
            "95 of 100.",
            (Query(quantile(0.95, "consolidator_step_duration_seconds", "step"), by("step")),),
            "s",
        ),
        Panel(
            "Unfinished change sets",
            "What the reconciler found, and the age of the oldest in seconds.",
            (
                Query(of("consolidator_unfinished_change_sets"), "unfinished"),
                Query(of("consolidator_oldest_unfinished_seconds", function="max"), "oldest, s"),
            ),
        ),
        Panel(
            "HTTP requests",
            "By route and status.",
            rates("http_requests", "method", "route", "status"),
            "reqps",
        ),
        Panel(
            "HTTP time",
            "95 of 100, by route.",
            (Query(quantile(0.95, "http_request_duration_seconds", "route"), by("route")),),
            "s",
        ),
        Panel(
            "Delay of the loop",
            "By how much a task is woken late, 99 of 100; above 50 ms something blocks.",
            (Query(quantile(0.99, "host_loop_delay_seconds", "instance"), by("instance")),),
            "s",
            warning=0.05,
        ),
        Panel(
            "Memory of the processes",
            "Resident.",
            (Query('process_resident_memory_bytes{job="palimpsest"}', by("instance")),),
            "bytes",
        ),
        Panel(
            "Processor time",
            "Cores in use.",
            (
                Query(
                    'rate(process_cpu_seconds_total{job="palimpsest"}[$__rate_interval])',
                    by("instance"),
                ),
            ),
        ),
    ),
)

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

MEMORY_QUALITY = Dashboard(
    name="memory-quality",
    title="Palimpsest: memory quality",
    words="What becomes of what people say: kept, said again, corrected, forgotten.",
    panels=(
        Panel(
            "Decisions",
            "Candidates and commands by what was decided.",
            rates("consolidator_decisions", "outcome"),
            "ops",
        ),
        Panel(
            "Restated",
            "Share of statements that were known already. High: the agent does not show that it remembers.",
            (
                Query(
                    f"{rate('consolidator_decisions', where=_RESTATED)} / {rate('consolidator_decisions', where=_STATED)}",
                    "restated",
                ),
            ),
            "percentunit",
        ),
        Panel(
            "Written over",
            "New facts that took the place of old ones.",
            (Query(rate("consolidator_decisions", where='outcome="superseded"'), "superseded"),),
            "ops",
        ),
        Panel(
            "Candidates by kind",
            "As published by the extractor.",
            rates("extractor_candidates", "kind"),
            "ops",
        ),
        Panel(
            "Proposals without sound evidence",
            "Dropped before anything was written, by what was wrong with the quote.",
            (
                Query(
                    none_is_zero(rate("extractor_dropped_proposals", "provider", "flaw")),
                    by("provider", "flaw"),
                ),
            ),
            "ops",
        ),
        Panel(
            "Chit-chat",
            "Share of windows that were not worth a look.",
            (
                Query(
                    f"({none_is_zero(_CHIT_CHAT)}) / {rate('ingest_windows')}",
                    "chit-chat",
                ),
            ),
            "percentunit",
        ),
        Panel(
            "Secrets taken out",
            "Before anything was stored, by kind.",
            rates("ingest_redactions", "kind"),
            "ops",
        ),
        Panel(
            "Commands of people",
            "By type, and whether they saw the change at once.",
            rates("console_commands", "type", "outcome"),
            "ops",
        ),
        Panel(
            "Time to obey",
            "From a command to the change it caused, 95 of 100.",
            (Query(quantile(0.95, "console_command_duration_seconds", "type"), by("type")),),
            "s",
        ),
        Panel(
            "Points projected",
            "To Qdrant, by what they stand for.",
            rates("consolidator_projected_points", "record"),
            "ops",
        ),
        Panel(
            "Drift",
            "Memories whose projection differed in the last full round.",
            (Query(of("consolidator_drift_memories"), "memories"),),
            warning=1,
        ),
        Panel(
            "Other writers",
            "Writes refused because another was first, and memories found at a lower version.",
            (
                Query(rate("consolidator_refused_writes"), "refused"),
                Query(rate("consolidator_version_conflicts"), "brought up"),
            ),
            "ops",
        ),
    ),
)

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

DASHBOARDS = (FIRST_PAGE, PIPELINE, RECALL, MEMORY_QUALITY, MODELS)
