"""The table of MongoDB's collections: each has one owner, the only service that writes it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class CollectionOwner(StrEnum):
    INGEST = "ingest"
    EXTRACTOR = "extractor"
    CONSOLIDATOR = "consolidator"
    CONSOLE = "console"
    EVERY_STAGE = "every stage"
    MIGRATIONS = "migrations"
    """`palimpsest migrate`, or a process that migrates at its start."""


@dataclass(frozen=True, kw_only=True)
class CollectionIndex:
    name: str
    keys: tuple[tuple[str, int], ...]
    unique: bool = False
    partial: dict[str, Any] | None = None
    expire_after_seconds: int | None = None
    for_embedded_only: bool = False
    """True if only the embedded database needs it, which sorts by no index."""


@dataclass(frozen=True, kw_only=True)
class MongoCollection:
    name: str
    owner: CollectionOwner
    indexes: tuple[CollectionIndex, ...] = field(default=())
    retired: tuple[str, ...] = ()
    """Names of former indexes, which are dropped where they still exist."""
    per_namespace: bool = False
    """True if each namespace has its own collection in the `per_agent` layout, named by the registry."""
    description: str


PENDING_INDEX = CollectionIndex(
    name="pending_longest",
    keys=(("state", 1), ("pending_since", 1), ("arrival", 1)),
)
"""Index of an outbox: entries that are stored or published but not confirmed, longest waiting first.

The index is not partial, although most entries are settled: `DatabaseLimit.NO_PARTIAL_INDEX_READS`.
The same holds for all indexes below that are used for reading. A partial index only enforces uniqueness."""

TRACE_RETENTION_SECONDS = 30 * 24 * 60 * 60
"""Traces of recalls are kept for 30 days."""

TURNS = MongoCollection(
    name="turns",
    owner=CollectionOwner.INGEST,
    indexes=(
        CollectionIndex(
            name="place_in_session",
            keys=(("user_id", 1), ("session_id", 1), ("sequence", 1)),
            unique=True,
            partial={"sequence": {"$exists": True}},
        ),
        CollectionIndex(
            name="read_by_place",
            keys=(("session_id", 1), ("user_id", 1), ("sequence", 1)),
        ),
        CollectionIndex(name="accepted_and_not_numbered", keys=(("unnumbered", 1),)),
        CollectionIndex(name="kept_longest", keys=(("received_at", 1),)),
        PENDING_INDEX,
    ),
    description="Raw messages, redacted; the outbox of what is to become searchable.",
)

SESSIONS = MongoCollection(
    name="sessions",
    owner=CollectionOwner.INGEST,
    indexes=(
        CollectionIndex(name="silent_until", keys=(("idle_at", 1),)),
        CollectionIndex(name="of_user", keys=(("user_id", 1),)),
    ),
    description="Where each conversation stands: its numbers, its end, who takes part.",
)

WINDOWS = MongoCollection(
    name="windows",
    owner=CollectionOwner.INGEST,
    indexes=(PENDING_INDEX,),
    description="Stretches of sessions handed to the extractor; their outbox.",
)

REQUESTS = MongoCollection(
    name="requests",
    owner=CollectionOwner.INGEST,
    indexes=(
        PENDING_INDEX,
        CollectionIndex(name="told_of_user", keys=(("user_id", 1), ("told_at", 1))),
        CollectionIndex(
            name="told_thirty_days_ago",
            keys=(("told_at", 1),),
            expire_after_seconds=TRACE_RETENTION_SECONDS,
        ),
    ),
    description="Accepted events that are no messages (remember this, session marks); their outbox.",
)

LEDGER = MongoCollection(
    name="ledger",
    owner=CollectionOwner.EXTRACTOR,
    indexes=(
        CollectionIndex(name="next_in_turn", keys=(("state", 1), ("place", 1), ("written_at", 1))),
        CollectionIndex(name="place_of_user", keys=(("user_id", 1), ("state", 1), ("place", 1))),
        CollectionIndex(
            name="one_lease_per_session",
            keys=(("session_key", 1),),
            unique=True,
            partial={"state": "leased"},
        ),
        CollectionIndex(name="longest_in_state", keys=(("state", 1), ("since", 1))),
    ),
    retired=("longest_waiting",),
    description="Requests to language models: pending, leased, answered, published.",
)

LEDGER_TEXTS = MongoCollection(
    name="ledger_texts",
    owner=CollectionOwner.EXTRACTOR,
    description="What the requests in the ledger ask about, until its effect was seen.",
)

MODEL_SPENDING = MongoCollection(
    name="model_spending",
    owner=CollectionOwner.EXTRACTOR,
    indexes=(CollectionIndex(name="by_day", keys=(("day", 1), ("user_id", 1))),),
    description="Tokens and money that language models took, by day and user; budgets read it.",
)

MODEL_CALLS = MongoCollection(
    name="model_calls",
    owner=CollectionOwner.EXTRACTOR,
    indexes=(
        CollectionIndex(name="of_user_by_day", keys=(("user_id", 1), ("day", 1))),
        CollectionIndex(name="of_all_by_day", keys=(("day", 1),)),
        CollectionIndex(name="unannounced", keys=(("state", 1), ("begun_at", 1))),
        CollectionIndex(
            name="settled_long_ago",
            keys=(("begun_at", 1),),
            # Longer than a year, for which usage reports are made.
            expire_after_seconds=400 * 24 * 60 * 60,
        ),
    ),
    description="Each call of a language model that took tokens, for whoever charges for it.",
)

SUMMARY_NEEDS = MongoCollection(
    name="summary_needs",
    owner=CollectionOwner.EXTRACTOR,
    indexes=(CollectionIndex(name="next_due", keys=(("due_at", 1),)),),
    description="Sessions that went on since they were last summed up, and when they are to be.",
)

NAMESPACES = MongoCollection(
    name="namespaces",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="one_per_pair", keys=(("user_id", 1), ("agent_id", 1)), unique=True),
        CollectionIndex(name="one_per_name", keys=(("physical_name", 1),), unique=True),
    ),
    description="The registry: every namespace with its physical name, layout and model.",
)

VECTOR_LAYOUTS = MongoCollection(
    name="vector_layouts",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(
            name="one_per_slot",
            keys=(("slot", 1),),
            unique=True,
            partial={"slot": {"$exists": True}},
        ),
    ),
    description="Where each namespace's vectors are on a server: in a collection of its own or pooled.",
)

MEMORIES = MongoCollection(
    name="memories",
    owner=CollectionOwner.CONSOLIDATOR,
    per_namespace=True,
    indexes=(
        CollectionIndex(name="same_content", keys=(("content_key", 1),)),
        CollectionIndex(name="same_attribute", keys=(("attribute_key", 1),)),
        CollectionIndex(name="same_value", keys=(("value_keys", 1),)),
        CollectionIndex(name="newest_of_user", keys=(("scope.user_id", 1), ("recorded_at", -1))),
        CollectionIndex(
            # Maintenance and quotas read active memories, and most stored memories are no longer active.
            name="newest_of_status",
            keys=(
                ("scope.user_id", 1),
                ("scope.agent_id", 1),
                ("status", 1),
                ("recorded_at", -1),
            ),
        ),
        CollectionIndex(
            name="window_marks_of_user", keys=(("window_mark", 1),), for_embedded_only=True
        ),
    ),
    description="The memories themselves; pooled here, or one collection for each namespace.",
)

ACCESSES = MongoCollection(
    name="accesses",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(CollectionIndex(name="most_of_user", keys=(("user_id", 1), ("count", -1))),),
    description="How often and when memories were recalled; counters that change no version.",
)

RECALLS = MongoCollection(
    name="recalls",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="not_folded_of_user", keys=(("user_id", 1), ("folded", 1))),
        CollectionIndex(name="not_folded_since", keys=(("folded", 1), ("at", 1))),
        CollectionIndex(name="of_fold", keys=(("fold", 1),)),
        CollectionIndex(name="latest_of_user", keys=(("user_id", 1), ("at", -1))),
        CollectionIndex(name="returned_to_user", keys=(("user_id", 1), ("results.id", 1))),
        CollectionIndex(
            name="asked_thirty_days_ago",
            keys=(("at", 1),),
            # Longer than the topic `writes` keeps a recall, which may be delivered again.
            expire_after_seconds=TRACE_RETENTION_SECONDS,
        ),
    ),
    retired=("folded_thirty_days_ago",),
    description="What each recall was asked and returned, and how it ranked, for thirty days.",
)

TODOS = MongoCollection(
    name="todos",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="of_user_by_due", keys=(("user_id", 1), ("state", 1), ("due_at", 1))),
        CollectionIndex(name="next_reminder", keys=(("next_reminder", 1),)),
    ),
    description="What is to be done, and when to remind of it; each is an action item as well.",
)

COMPLETIONS = MongoCollection(
    name="completions",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="of_user_since", keys=(("user_id", 1), ("completion.said_at", 1))),
        CollectionIndex(name="of_turn", keys=(("turn_id", 1),)),
        CollectionIndex(
            name="noted_a_year_ago",
            keys=(("noted_at", 1),),
            expire_after_seconds=365 * 24 * 60 * 60,
        ),
    ),
    description="What was said to be done, for a year: what was to be done may be read later.",
)

SUMMARIES = MongoCollection(
    name="summaries",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="latest_of_user", keys=(("user_id", 1), ("ended_at", -1))),
        CollectionIndex(name="over", keys=(("expires_at", 1),)),
    ),
    description="What each session was about; one for each, made anew when it goes on.",
)

PROFILES = MongoCollection(
    name="profiles",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(
            name="version_in_layer",
            keys=(("user_id", 1), ("agent_id", 1), ("epoch", 1), ("version", 1)),
            unique=True,
        ),
    ),
    retired=("version_of_user",),
    description="What is known of each user, and what each agent knows of its own, in a few paragraphs.",
)

PROFILE_NEEDS = MongoCollection(
    name="profile_needs",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(CollectionIndex(name="next_look", keys=(("look_at", 1),)),),
    description="Users and agents of whom something is known that their profile does not say yet.",
)

CHANGE_SETS = MongoCollection(
    name="change_sets",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(
            name="linear_per_user", keys=(("user_id", 1), ("revision", 1)), unique=True
        ),
        CollectionIndex(name="history_of_memory", keys=(("memory_ids", 1),)),
        CollectionIndex(
            name="of_session", keys=(("cause.session_id", 1), ("user_id", 1), ("revision", 1))
        ),
        CollectionIndex(name="unfinished_at_progress", keys=(("unfinished", 1), ("progress", 1))),
        CollectionIndex(
            name="in_order_of_decision", keys=(("decided_at", 1), ("user_id", 1), ("revision", 1))
        ),
    ),
    description="Every decision, before and after: history, undo, outbox and repair.",
)

CHECKPOINTS = MongoCollection(
    name="checkpoints",
    owner=CollectionOwner.CONSOLIDATOR,
    description="A revision of each user up to which every change set is finished; may lag.",
)

SETTINGS = MongoCollection(
    name="settings",
    owner=CollectionOwner.CONSOLIDATOR,
    description="What users have settled for themselves.",
)

ENTITIES = MongoCollection(
    name="entities",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="of_name", keys=(("key", 1),)),
        CollectionIndex(name="of_user", keys=(("namespace.user_id", 1),)),
    ),
    description="Who and what memories name: one for each name, with how it is written.",
)

EPOCHS = MongoCollection(
    name="epochs",
    owner=CollectionOwner.CONSOLIDATOR,
    description="How often a user had everything forgotten; never rebuilt from anything.",
)

WITHHELD = MongoCollection(
    name="withheld",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(
        CollectionIndex(name="of_user", keys=(("user_id", 1),)),
        CollectionIndex(name="summaries_to_look_at", keys=(("untold", 1),)),
    ),
    description="The messages, by id, of memories that their user has forgotten or set right.",
)

REPORTS = MongoCollection(
    name="reports",
    owner=CollectionOwner.CONSOLIDATOR,
    indexes=(CollectionIndex(name="of_user", keys=(("user_id", 1),)),),
    description="The latest quality report of each namespace: figures, no content.",
)

COMMANDS = MongoCollection(
    name="commands",
    owner=CollectionOwner.CONSOLE,
    indexes=(
        CollectionIndex(name="unfinished", keys=(("state", 1), ("since", 1))),
        CollectionIndex(
            name="finished_long_ago",
            keys=(("confirmed_at", 1),),
            expire_after_seconds=30 * 24 * 60 * 60,
        ),
    ),
    description="Commands accepted from people, until the change they caused is seen.",
)

WEBHOOKS = MongoCollection(
    name="webhooks",
    owner=CollectionOwner.CONSOLE,
    description="Endpoints that are told of changes, each with its secret.",
)

WEBHOOK_DELIVERIES = MongoCollection(
    name="webhook_deliveries",
    owner=CollectionOwner.CONSOLE,
    indexes=(
        CollectionIndex(name="next_due", keys=(("webhook_id", 1), ("state", 1), ("due_at", 1))),
        CollectionIndex(
            name="first_of_record",
            keys=(("webhook_id", 1), ("subject", 1), ("state", 1), ("changed.revision", 1)),
        ),
        CollectionIndex(name="latest", keys=(("webhook_id", 1), ("queued_at", -1))),
        CollectionIndex(
            name="queued_thirty_days_ago",
            keys=(("queued_at", 1),),
            expire_after_seconds=TRACE_RETENTION_SECONDS,
        ),
    ),
    description="Changes on their way to endpoints, by ids alone, and what became of each.",
)

STANDING_QUESTIONS = MongoCollection(
    name="standing_questions",
    owner=CollectionOwner.CONSOLE,
    indexes=(CollectionIndex(name="of_user", keys=(("user_id", 1), ("created_at", 1))),),
    description="Questions that people keep, and the ids of the memories that answer or answered them.",
)

DEAD_LETTERS = MongoCollection(
    name="dead_letters",
    owner=CollectionOwner.EVERY_STAGE,
    indexes=(
        CollectionIndex(name="latest", keys=(("state", 1), ("failed_at", -1))),
        CollectionIndex(name="of_stage", keys=(("stage", 1), ("state", 1), ("failed_at", -1))),
        CollectionIndex(name="of_event", keys=(("event_id", 1),)),
    ),
    description="What was set aside, redacted, with the reason; each stage writes its own.",
)

KEYS = MongoCollection(
    name="keys",
    owner=CollectionOwner.EVERY_STAGE,
    indexes=(CollectionIndex(name="of_user", keys=(("user_id", 1),)),),
    description="Where content is encrypted: a key for each user and epoch, wrapped; or its grave.",
)

ACCESS_KEYS = MongoCollection(
    name="access_keys",
    owner=CollectionOwner.EVERY_STAGE,
    description="Keys of the API: whom each opens, as a hash; every process notes their last use.",
)

STAGES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
"""Every stage that stores data of users, if only the events that it dead-lettered."""

ERASURES = MongoCollection(
    name="erasures",
    owner=CollectionOwner.EVERY_STAGE,
    indexes=(
        CollectionIndex(name="not_obeyed", keys=(("waiting_for", 1),)),
        CollectionIndex(name="of_user", keys=(("user_id", 1),)),
    ),
    description="What was erased, by ids alone, and the stages that have not obeyed it yet.",
)

SCHEMA = MongoCollection(
    name="schema",
    owner=CollectionOwner.MIGRATIONS,
    description="The version of the documents here, the steps that led to it, and who migrates now.",
)

SET_ASIDE = MongoCollection(
    name="set_aside",
    owner=CollectionOwner.MIGRATIONS,
    indexes=(
        CollectionIndex(name="of_user", keys=(("user_id", 1),)),
        CollectionIndex(
            name="set_aside_ninety_days_ago",
            keys=(("at", 1),),
            expire_after_seconds=90 * 24 * 60 * 60,
        ),
    ),
    description="Documents that no version of today can ask for, as they lay; kept for ninety days.",
)

COLLECTIONS: tuple[MongoCollection, ...] = (
    TURNS,
    SESSIONS,
    WINDOWS,
    REQUESTS,
    LEDGER,
    LEDGER_TEXTS,
    MODEL_SPENDING,
    MODEL_CALLS,
    SUMMARY_NEEDS,
    NAMESPACES,
    VECTOR_LAYOUTS,
    MEMORIES,
    ACCESSES,
    RECALLS,
    TODOS,
    COMPLETIONS,
    SUMMARIES,
    ENTITIES,
    PROFILES,
    PROFILE_NEEDS,
    CHANGE_SETS,
    CHECKPOINTS,
    SETTINGS,
    EPOCHS,
    WITHHELD,
    REPORTS,
    COMMANDS,
    WEBHOOKS,
    WEBHOOK_DELIVERIES,
    STANDING_QUESTIONS,
    DEAD_LETTERS,
    KEYS,
    ACCESS_KEYS,
    ERASURES,
    SCHEMA,
    SET_ASIDE,
)
