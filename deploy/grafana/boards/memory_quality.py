"""The way from messages to memories, and what is lost on it."""

from deploy.grafana.expressions import (
    aggregate_gauge,
    default_to_zero,
    legend_for,
    quantile,
    rate,
    rate_queries,
)
from deploy.grafana.panels import Dashboard, Panel, Query

_STATED = 'outcome=~"added|added as past|superseded|reinforced|duplicate"'
_RESTATED = 'outcome=~"reinforced|duplicate"'
_HELPFUL = 'verdict="helpful"'
_FOUND_HELPFUL = 'outcome="found helpful"'
_RETURNED = rate("recall_returned_memories")
_CHIT_CHAT = rate("ingest_windows", where='outcome="chit_chat"')
_ACTIVE = '{status="active"}'
_FORGOTTEN = '{status="forgotten"}'
_ON = '{state="on"}'


def _memories(*labels: str, where: str = "") -> str:
    """Each consolidator with vectors counts all of them: so the largest count, and not the sum."""
    counted = aggregate_gauge(f"consolidator_memories{where}", "kind", "status", function="max")
    return f"sum by ({', '.join(labels)}) ({counted})" if labels else f"sum({counted})"


def _users(where: str = "") -> str:
    return f"sum({aggregate_gauge(f'consolidator_users{where}', 'state', function='max')})"


MEMORY_QUALITY = Dashboard(
    name="memory-quality",
    title="Palimpsest: memory quality",
    words="What becomes of what people say: kept, said again, corrected, forgotten.",
    panels=(
        Panel(
            "Decisions",
            "Candidates and commands by what was decided.",
            rate_queries("consolidator_decisions", "outcome"),
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
            "Helpful",
            "Share of feedback on what was recalled that called it helpful, and not wrong or outdated.",
            (
                Query(
                    f"({default_to_zero(rate('consolidator_feedback', where=_HELPFUL))}) / {rate('consolidator_feedback')}",
                    "helpful",
                ),
            ),
            "percentunit",
        ),
        Panel(
            "Satisfaction",
            "Of the memories that recalls returned: found helpful, and said to be used.",
            (
                Query(
                    f"({default_to_zero(rate('consolidator_decisions', where=_FOUND_HELPFUL))}) / {_RETURNED}",
                    "helpful",
                ),
                Query(f"{rate('consolidator_used_results')} / {_RETURNED}", "used"),
            ),
            "percentunit",
        ),
        Panel(
            "Candidates by kind",
            "As published by the extractor.",
            rate_queries("extractor_candidates", "kind"),
            "ops",
        ),
        Panel(
            "Proposals without sound evidence",
            "Dropped before anything was written, by what was wrong with the quote.",
            (
                Query(
                    default_to_zero(rate("extractor_dropped_proposals", "provider", "flaw")),
                    legend_for("provider", "flaw"),
                ),
            ),
            "ops",
        ),
        Panel(
            "Chit-chat",
            "Share of windows that were not worth a look.",
            (
                Query(
                    f"({default_to_zero(_CHIT_CHAT)}) / {rate('ingest_windows')}",
                    "chit-chat",
                ),
            ),
            "percentunit",
        ),
        Panel(
            "Secrets taken out",
            "Before anything was stored, by kind.",
            rate_queries("ingest_redactions", "kind"),
            "ops",
        ),
        Panel(
            "Commands of people",
            "By type, and whether they saw the change at once.",
            rate_queries("console_commands", "type", "outcome"),
            "ops",
        ),
        Panel(
            "Memories",
            "By status, counted once a round; of these recall returns the active ones.",
            (Query(_memories("status"), legend_for("status")),),
        ),
        Panel(
            "Memories of each user",
            "Active ones, on average of users who have had any. Between 100 and 500 is meant.",
            (Query(f"{_memories(where=_ACTIVE)} / {_users()}", "active"),),
        ),
        Panel(
            "Shares",
            "Forgotten of all memories (below .3 is meant), and users with memory on (above .6).",
            (
                Query(
                    f"({default_to_zero(_memories(where=_FORGOTTEN))}) / {_memories()}", "forgotten"
                ),
                Query(f"{_users(where=_ON)} / {_users()}", "memory on"),
            ),
            "percentunit",
        ),
        Panel(
            "Time to obey",
            "From a command to the change it caused, 95 of 100.",
            (
                Query(
                    quantile(0.95, "console_command_duration_seconds", "type"), legend_for("type")
                ),
            ),
            "s",
        ),
        Panel(
            "Points projected",
            "To Qdrant, by what they stand for.",
            rate_queries("consolidator_projected_points", "record"),
            "ops",
        ),
        Panel(
            "Drift",
            "Memories whose projection differed in the last full round, and messages without one.",
            (
                Query(aggregate_gauge("consolidator_drift_memories"), "memories"),
                Query(aggregate_gauge("consolidator_drift_turns"), "messages"),
            ),
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
