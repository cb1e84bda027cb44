"""Metrics of people's commands, and of requests to webhooks: outcomes and waiting times."""

from prometheus_client import CollectorRegistry, Counter, Histogram

_SECONDS = (0.02, 0.05, 0.1, 0.2, 0.4, 1.0, 2.0)


class ConsoleMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self.commands = Counter(
            "palimpsest_console_commands",
            "Commands by type and by how they were answered: applied, refused, or under way; "
            "those from Kafka, for which nobody waits, are taken.",
            ("type", "outcome"),
            registry=registry,
        )
        self.waited = Histogram(
            "palimpsest_console_command_duration_seconds",
            "From a command's arrival to the change it caused, or to the end of patience.",
            ("type",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.reconciled = Counter(
            "palimpsest_console_reconciled",
            "Commands found unfinished: confirmed late, set aside by a later stage, or sent again.",
            ("outcome",),
            registry=registry,
        )
        self.proxied_chats = Counter(
            "palimpsest_console_proxied_chats",
            "Chats passed on, by vendor and by what memory gave them: recalled, nothing known, late, "
            "failed; unreadable, or without memory, where none was asked for.",
            ("kind", "outcome"),
            registry=registry,
        )
        self.proxied_exchanges = Counter(
            "palimpsest_console_proxied_exchanges",
            "Exchanges of proxied chats by what became of them: kept, refused, or failed.",
            ("outcome",),
            registry=registry,
        )
        self.webhook_tries = Counter(
            "palimpsest_console_webhook_tries",
            "Requests to webhooks by outcome: delivered, or the reason why not.",
            ("outcome",),
            registry=registry,
        )
