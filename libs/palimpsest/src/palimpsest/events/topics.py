"""The table of topics, for everything that publishes, reads, creates or documents a topic."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from palimpsest.events import (
    announcements,
    conversations,
    extractor_answers,
    extractor_requests,
    recall_exchange,
    writes,
)
from palimpsest.events.command_properties import CommandGiver
from palimpsest.events.command_registry import (
    CONSOLIDATED_COMMANDS,
    PEOPLES_COMMANDS,
    require_commands,
)
from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.maintenance import MemoryDistilled, TurnsExpired
from palimpsest.events.skills import SkillFailed, SkillSucceeded

DAY_MILLISECONDS = 24 * 60 * 60 * 1000
MEBIBYTE = 1024 * 1024
MAXIMUM_INTERNAL_RECORD_BYTES = 4 * MEBIBYTE
"""Room for a window of long messages, or for a change set with both sides of many memories."""


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One topic. The key is always the user id, so that one user's events stay in order."""

    name: str
    models: tuple[type[Event], ...]
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    partitions: int
    retention_milliseconds: int
    cleanup: str = "delete"
    """Kafka's `cleanup.policy`."""
    maximum_record_bytes: int = MEBIBYTE
    """The limit of a record's value in bytes; a larger one is refused, or becomes a dead letter."""
    description: str

    @property
    def is_internal(self) -> bool:
        """True if only services write to it."""
        return "chat services" not in self.writers

    @property
    def idle_poll_seconds(self) -> float:
        """The seconds between polls on a broker that does not wake waiting readers."""
        if self.is_internal:
            return 1.0
        # A conversation passes all services in turn; a question or command waits for one alone.
        return 0.05 if "ingest" in self.readers else 0.1

    def model_named(self, event_type: str) -> type[Event] | None:
        return self._named.get(event_type)

    @cached_property
    def _named(self) -> Mapping[str, type[Event]]:
        named: dict[str, type[Event]] = {
            alias: model
            for model in self.models
            if issubclass(model, CommandEvent)
            for alias in model.ALIASES
        }
        return named | {model.model_fields["type"].default: model for model in self.models}


CONVERSATIONS = Topic(
    name="conversations",
    models=(
        conversations.SessionStarted,
        conversations.MessageAdded,
        conversations.SessionEnded,
        conversations.RememberRequested,
        conversations.SummaryPublished,
        FeedbackGiven,
        RecallUsed,
        SkillSucceeded,
        SkillFailed,
    ),
    writers=("chat services", "ingest"),
    readers=("ingest",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    description="What chat services say. Short-lived: what must last is in MongoDB.",
)

USER_COMMANDS = Topic(
    name="commands",
    models=PEOPLES_COMMANDS,
    writers=("chat services",),
    readers=("console",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    description="What people want done by hand; what came of it is announced on `changes`.",
)

EXTRACTIONS = Topic(
    name="extractions",
    models=(
        extractor_requests.ExtractionRequested,
        extractor_requests.SummaryRequested,
        extractor_requests.ProfileRequested,
        extractor_requests.JudgementRequested,
        extractor_requests.ReflectionRequested,
    ),
    writers=("ingest", "consolidator"),
    readers=("extractor",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    maximum_record_bytes=MAXIMUM_INTERNAL_RECORD_BYTES,
    description="Windows of conversations, and questions, for the extractor's ledger.",
)

CANDIDATES = Topic(
    name="candidates",
    models=(
        writes.TurnStored,
        conversations.RememberRequested,
        extractor_answers.CandidatesProposed,
        extractor_answers.SummaryProposed,
        extractor_answers.ProfileProposed,
        extractor_answers.JudgementProposed,
        extractor_answers.ReflectionsProposed,
        conversations.SummaryPublished,
        writes.ReprojectionRequested,
        writes.SummaryReprojectionRequested,
        FeedbackGiven,
        RecallUsed,
        SkillSucceeded,
        SkillFailed,
        *CONSOLIDATED_COMMANDS,
        MemoryDistilled,
        TurnsExpired,
    ),
    writers=("ingest", "extractor", "console", "consolidator"),
    readers=("embedder",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    maximum_record_bytes=MAXIMUM_INTERNAL_RECORD_BYTES,
    description="Turns, candidates and commands, waiting for their vectors.",
)

WRITES = Topic(
    name="writes",
    models=(*CANDIDATES.models, writes.MemoriesAccessed, writes.TodoDue),
    writers=("embedder", "recall", "consolidator"),
    readers=("consolidator",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    maximum_record_bytes=MAXIMUM_INTERNAL_RECORD_BYTES,
    description="The whole input of the one writer.",
)

CHANGES = Topic(
    name="changes",
    models=(announcements.ChangeSetAnnounced,),
    writers=("consolidator",),
    readers=("ingest", "extractor", "recall", "console", "chat services"),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    maximum_record_bytes=MAXIMUM_INTERNAL_RECORD_BYTES,
    description="What has changed, for caches, pages, files and webhooks.",
)

CHANGES_MINIMUM_WAIT_MILLISECONDS = 50
"""The least time that a reader waits for records. Readers of changes are in no hurry, and a broker
that wakes no waiting fetch is polled often."""

NOTIFICATIONS = Topic(
    name="notifications",
    models=(announcements.ReminderDue,),
    writers=("consolidator",),
    readers=("chat services",),
    partitions=12,
    retention_milliseconds=3 * DAY_MILLISECONDS,
    description="What somebody wants to be told of: reminders that are due.",
)

USAGE = Topic(
    name="usage",
    models=(announcements.UsageRecorded,),
    writers=("extractor",),
    readers=("chat services",),
    partitions=12,
    retention_milliseconds=30 * DAY_MILLISECONDS,
    description="What language models took for whom, for chat services that charge for it.",
)

RECALL_REQUESTS = Topic(
    name="recall-requests",
    models=(recall_exchange.RecallRequested, recall_exchange.ContextRequested),
    writers=("chat services",),
    readers=("recall",),
    partitions=12,
    retention_milliseconds=60 * 60 * 1000,
    description="Questions to recall, each with a partition of `replies` to answer to.",
)

REPLIES = Topic(
    name="replies",
    models=(recall_exchange.RecallReplied, recall_exchange.ContextReplied),
    writers=("recall",),
    readers=("chat services",),
    partitions=12,
    retention_milliseconds=60 * 60 * 1000,
    description="Answers. A client reads one partition; the correlation id tells whose it is.",
)

DEAD_LETTERS = Topic(
    name="dead-letters",
    models=(announcements.DeadLetterAnnounced,),
    writers=("every stage",),
    readers=("operators",),
    partitions=1,
    retention_milliseconds=30 * DAY_MILLISECONDS,
    description="Dead letters, without their content.",
)

TOPICS = (
    CONVERSATIONS,
    USER_COMMANDS,
    EXTRACTIONS,
    CANDIDATES,
    WRITES,
    CHANGES,
    NOTIFICATIONS,
    USAGE,
    RECALL_REQUESTS,
    REPLIES,
    DEAD_LETTERS,
)

require_commands(
    "the topic conversations",
    CONVERSATIONS.models,
    lambda command: command.given_by is CommandGiver.CHAT_SERVICES,
)
