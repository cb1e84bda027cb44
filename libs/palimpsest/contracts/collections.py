"""The table of MongoDB's collections: each has one owner, the only service that writes it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Owner(StrEnum):
    INGEST = "ingest"
    EXTRACTOR = "extractor"
    CONSOLIDATOR = "consolidator"
    CONSOLE = "console"
    EVERY_STAGE = "every stage"


@dataclass(frozen=True, kw_only=True)
class Index:
    name: str
    keys: tuple[tuple[str, int], ...]
    unique: bool = False
    partial: dict[str, Any] | None = None
    expire_after_seconds: int | None = None


@dataclass(frozen=True, kw_only=True)
class Collection:
    name: str
    owner: Owner
    indexes: tuple[Index, ...] = field(default=())
    retired: tuple[str, ...] = ()
    """Names of indexes that it had and that are dropped where they still stand."""
    per_namespace: bool = False
    """One for each namespace in the `per_agent` layout, named by the registry."""
    description: str


PENDING = Index(
    name="pending_longest",
    keys=(("state", 1), ("pending_since", 1), ("arrival", 1)),
)
"""Of an outbox: what is stored or published and not confirmed, the longest waiting first.

Not partial, though most of what it holds is settled: the embedded database reads by no partial
index. So are all below that are read by; a partial one only keeps something unique.
"""

TRACED_SECONDS = 30 * 24 * 60 * 60
"""What was asked, returned and used; nobody needs to know for longer."""

TURNS = Collection(
    name="turns",
    owner=Owner.INGEST,
    indexes=(
        Index(
            name="place_in_session",
            keys=(("user_id", 1), ("session_id", 1), ("sequence", 1)),
            unique=True,
            partial={"sequence": {"$exists": True}},
        ),
        Index(
            name="read_by_place",
            keys=(("session_id", 1), ("user_id", 1), ("sequence", 1)),
        ),
        Index(name="accepted_and_not_numbered", keys=(("unnumbered", 1),)),
        Index(name="kept_longest", keys=(("received_at", 1),)),
        PENDING,
    ),
    description="Raw messages, redacted; the outbox of what is to become searchable.",
)

SESSIONS = Collection(
    name="sessions",
    owner=Owner.INGEST,
    indexes=(
        Index(name="silent_until", keys=(("idle_at", 1),)),
        Index(name="of_user", keys=(("user_id", 1),)),
    ),
    description="Where each conversation stands: its numbers, its end, who takes part.",
)

WINDOWS = Collection(
    name="windows",
    owner=Owner.INGEST,
    indexes=(PENDING,),
    description="Stretches of sessions handed to the extractor; their outbox.",
)

REQUESTS = Collection(
    name="requests",
    owner=Owner.INGEST,
    indexes=(
        PENDING,
        Index(name="told_of_user", keys=(("user_id", 1), ("told_at", 1))),
        Index(
            name="told_thirty_days_ago",
            keys=(("told_at", 1),),
            expire_after_seconds=TRACED_SECONDS,
        ),
    ),
    description="Accepted events that are no messages (remember this, session marks); their outbox.",
)

LEDGER = Collection(
    name="ledger",
    owner=Owner.EXTRACTOR,
    indexes=(
        Index(name="next_in_turn", keys=(("state", 1), ("place", 1), ("written_at", 1))),
        Index(name="place_of_user", keys=(("user_id", 1), ("state", 1), ("place", 1))),
        Index(
            name="one_lease_per_session",
            keys=(("session_key", 1),),
            unique=True,
            partial={"state": "leased"},
        ),
        Index(name="longest_in_state", keys=(("state", 1), ("since", 1))),
    ),
    retired=("longest_waiting",),
    description="Requests to language models: pending, leased, answered, published.",
)

LEDGER_TEXTS = Collection(
    name="ledger_texts",
    owner=Owner.EXTRACTOR,
    description="What the requests in the ledger ask about, until its effect was seen.",
)

MODEL_SPENDING = Collection(
    name="model_spending",
    owner=Owner.EXTRACTOR,
    indexes=(Index(name="by_day", keys=(("day", 1), ("user_id", 1))),),
    description="Tokens and money that language models took, by day and user; budgets read it.",
)

MODEL_CALLS = Collection(
    name="model_calls",
    owner=Owner.EXTRACTOR,
    indexes=(
        Index(name="of_user_by_day", keys=(("user_id", 1), ("day", 1))),
        Index(name="of_all_by_day", keys=(("day", 1),)),
        Index(name="unannounced", keys=(("state", 1), ("begun_at", 1))),
        Index(
            name="settled_long_ago",
            keys=(("begun_at", 1),),
            # Longer than a year, which is what accounts are made up of.
            expire_after_seconds=400 * 24 * 60 * 60,
        ),
    ),
    description="Each call of a language model that took tokens, for whoever charges for it.",
)

SUMMARY_NEEDS = Collection(
    name="summary_needs",
    owner=Owner.EXTRACTOR,
    indexes=(Index(name="next_due", keys=(("due_at", 1),)),),
    description="Sessions that went on since they were last summed up, and when they are to be.",
)

NAMESPACES = Collection(
    name="namespaces",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="one_per_pair", keys=(("user_id", 1), ("agent_id", 1)), unique=True),
        Index(name="one_per_name", keys=(("physical_name", 1),), unique=True),
    ),
    description="The registry: every namespace with its physical name, layout and model.",
)

MEMORIES = Collection(
    name="memories",
    owner=Owner.CONSOLIDATOR,
    per_namespace=True,
    indexes=(
        Index(name="same_content", keys=(("content_key", 1),)),
        Index(name="same_attribute", keys=(("attribute_key", 1),)),
        Index(name="same_value", keys=(("value_keys", 1),)),
        Index(name="newest_of_user", keys=(("scope.user_id", 1), ("recorded_at", -1))),
        Index(
            # Maintenance and quotas look at what is active, and most of what there is once was.
            name="newest_of_status",
            keys=(
                ("scope.user_id", 1),
                ("scope.agent_id", 1),
                ("status", 1),
                ("recorded_at", -1),
            ),
        ),
    ),
    description="The memories themselves; pooled here, or one collection for each namespace.",
)

ACCESSES = Collection(
    name="accesses",
    owner=Owner.CONSOLIDATOR,
    indexes=(Index(name="most_of_user", keys=(("user_id", 1), ("count", -1))),),
    description="How often and when memories were recalled; counters that change no version.",
)

RECALLS = Collection(
    name="recalls",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="not_folded_of_user", keys=(("user_id", 1), ("folded", 1))),
        Index(name="not_folded_since", keys=(("folded", 1), ("at", 1))),
        Index(name="of_fold", keys=(("fold", 1),)),
        Index(name="latest_of_user", keys=(("user_id", 1), ("at", -1))),
        Index(name="returned_to_user", keys=(("user_id", 1), ("results.id", 1))),
        Index(
            name="asked_thirty_days_ago",
            keys=(("at", 1),),
            # The trace of 001, section 5.2; and longer than `writes` keeps what may come again.
            expire_after_seconds=TRACED_SECONDS,
        ),
    ),
    retired=("folded_thirty_days_ago",),
    description="What each recall was asked and returned, and how it ranked, for thirty days.",
)

TODOS = Collection(
    name="todos",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="of_user_by_due", keys=(("user_id", 1), ("state", 1), ("due_at", 1))),
        Index(name="next_reminder", keys=(("next_reminder", 1),)),
    ),
    description="What is to be done, and when to remind of it; each is an action item as well.",
)

COMPLETIONS = Collection(
    name="completions",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="of_user_since", keys=(("user_id", 1), ("completion.said_at", 1))),
        Index(name="of_turn", keys=(("turn_id", 1),)),
        Index(
            name="noted_a_year_ago",
            keys=(("noted_at", 1),),
            expire_after_seconds=365 * 24 * 60 * 60,
        ),
    ),
    description="What was said to be done, for a year: what was to be done may be read later.",
)

SUMMARIES = Collection(
    name="summaries",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="latest_of_user", keys=(("user_id", 1), ("ended_at", -1))),
        Index(name="over", keys=(("expires_at", 1),)),
    ),
    description="What each session was about; one for each, made anew when it goes on.",
)

PROFILES = Collection(
    name="profiles",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(
            name="version_of_user", keys=(("user_id", 1), ("epoch", 1), ("version", 1)), unique=True
        ),
    ),
    description="What is known of each user in a few paragraphs, every version of it.",
)

PROFILE_NEEDS = Collection(
    name="profile_needs",
    owner=Owner.CONSOLIDATOR,
    indexes=(Index(name="next_look", keys=(("look_at", 1),)),),
    description="Users of whom something is known that their profile does not say yet.",
)

CHANGE_SETS = Collection(
    name="change_sets",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="linear_per_user", keys=(("user_id", 1), ("revision", 1)), unique=True),
        Index(name="history_of_memory", keys=(("memory_ids", 1),)),
        Index(name="unfinished_at_progress", keys=(("unfinished", 1), ("progress", 1))),
    ),
    description="Every decision, before and after: history, undo, outbox and repair.",
)

CHECKPOINTS = Collection(
    name="checkpoints",
    owner=Owner.CONSOLIDATOR,
    description="A revision of each user up to which every change set is finished; may lag.",
)

SETTINGS = Collection(
    name="settings",
    owner=Owner.CONSOLIDATOR,
    description="What users have settled for themselves.",
)

ENTITIES = Collection(
    name="entities",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="of_name", keys=(("key", 1),)),
        Index(name="of_user", keys=(("namespace.user_id", 1),)),
    ),
    description="Who and what memories name: one for each name, with how it is written.",
)

EPOCHS = Collection(
    name="epochs",
    owner=Owner.CONSOLIDATOR,
    description="How often a user had everything forgotten; never rebuilt from anything.",
)

WITHHELD = Collection(
    name="withheld",
    owner=Owner.CONSOLIDATOR,
    indexes=(
        Index(name="of_user", keys=(("user_id", 1),)),
        Index(name="summaries_to_look_at", keys=(("untold", 1),)),
    ),
    description="The messages, by id, of memories that their user has forgotten or set right.",
)

REPORTS = Collection(
    name="reports",
    owner=Owner.CONSOLIDATOR,
    indexes=(Index(name="of_user", keys=(("user_id", 1),)),),
    description="The latest quality report of each namespace: figures, no content.",
)

COMMANDS = Collection(
    name="commands",
    owner=Owner.CONSOLE,
    indexes=(
        Index(name="unfinished", keys=(("state", 1), ("since", 1))),
        Index(
            name="finished_long_ago",
            keys=(("confirmed_at", 1),),
            expire_after_seconds=30 * 24 * 60 * 60,
        ),
    ),
    description="Commands accepted from people, until the change they caused is seen.",
)

DEAD_LETTERS = Collection(
    name="dead_letters",
    owner=Owner.EVERY_STAGE,
    indexes=(
        Index(name="latest", keys=(("state", 1), ("failed_at", -1))),
        Index(name="of_stage", keys=(("stage", 1), ("state", 1), ("failed_at", -1))),
        Index(name="of_event", keys=(("event_id", 1),)),
    ),
    description="What was set aside, redacted, with the reason; each stage writes its own.",
)

KEYS = Collection(
    name="keys",
    owner=Owner.EVERY_STAGE,
    indexes=(Index(name="of_user", keys=(("user_id", 1),)),),
    description="Where content is encrypted: a key for each user and epoch, wrapped; or its grave.",
)

STAGES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
"""Whoever keeps something of users: at least the events that it set aside."""

ERASURES = Collection(
    name="erasures",
    owner=Owner.EVERY_STAGE,
    indexes=(
        Index(name="not_obeyed", keys=(("waiting_for", 1),)),
        Index(name="of_user", keys=(("user_id", 1),)),
    ),
    description="What was erased, by ids alone, and the stages that have not obeyed it yet.",
)

COLLECTIONS: tuple[Collection, ...] = (
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
    DEAD_LETTERS,
    KEYS,
    ERASURES,
)
