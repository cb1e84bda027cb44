"""Looking after a deployment over HTTP: its users, its dead letters and what waits. Needs a service key."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from palimpsest.model.user import Tier
from palimpsest.model.value_types import Identifier, Instant, Value

MAXIMUM_REPLAYED = 1_000
"""The most dead letters that one request replays."""

LetterLimit = Annotated[int, Field(ge=1, le=MAXIMUM_REPLAYED)]


class NamespaceQuery(Value):
    """`GET /v1/namespaces`: a page of namespaces, by user and agent."""

    user_prefix: Identifier | None = None
    """Only users whose id begins with this."""
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most namespaces of a page, 1 to 200."""
    cursor: Identifier | None = None
    """The `next_cursor` of the page before; null for the first page."""


class NamespaceFigures(Value):
    """A user with one agent or none: how much is remembered, and how much may be."""

    user_id: str
    """The user whose memories they are."""
    agent_id: str | None = None
    """The agent whose memories they are; null for those that all agents share."""
    active_memories: int
    """The number of active memories in all projects."""
    tier: Tier
    """The tier of the user, which sets the limit."""
    limit: int | None
    """The most active memories that the tier allows; null for no limit."""
    last_remembered_at: Instant | None = None
    """When the newest active memory was recorded; null if none is active."""


class NamespacePage(Value):
    """Namespaces that hold memories, by user and agent."""

    namespaces: tuple[NamespaceFigures, ...]
    """The namespaces of this page."""
    next_cursor: str | None = None
    """The cursor of the next page; null if this is the last."""


class DeadLetterQuery(Value):
    """`GET /v1/dead-letters`: which of the letters that wait for a replay are listed."""

    stage: Identifier | None = None
    """The only stage whose letters are listed, such as ingest."""
    reason: Identifier | None = None
    """The only reason whose letters are listed, such as invalid_event."""
    limit: LetterLimit = 50
    """The most letters in the answer, 1 to 1,000."""


class DeadLetterSummary(Value):
    """An event that a stage could not handle: where and why, never what it says."""

    id: str
    """The id of the letter, by which it is replayed."""
    stage: str
    """The stage that failed to handle the event."""
    topic: str
    """The topic that the event was read from."""
    partition: int
    """The partition of the topic that the event was read from."""
    offset: int
    """The offset of the event in its partition."""
    user_id: str | None = None
    """The user of the event; null if it could not be read."""
    event_type: str | None = None
    """The type of the event; null if it could not be read."""
    reason: str
    """The kind of failure, such as invalid_event."""
    failed_at: Instant
    """When the stage last failed to handle it."""
    body_bytes: int
    """The size of the event in bytes."""
    replay_refusal: str | None = None
    """Why the letter cannot be replayed; null if it can."""


class DeadLetterPage(Value):
    """Dead letters that wait for a replay, the latest first."""

    letters: tuple[DeadLetterSummary, ...]
    """The latest letters that match, without their content."""
    has_more: bool
    """True if more letters match than are listed."""


class DeadLetterReplayRequest(Value):
    """`POST /v1/dead-letters/replay`: give letters to their topics again."""

    ids: Annotated[tuple[Identifier, ...], Field(max_length=MAXIMUM_REPLAYED)] | None = None
    """The only letters to replay; null for all that match."""
    stage: Identifier | None = None
    """The only stage whose letters are replayed."""
    reason: Identifier | None = None
    """The only reason whose letters are replayed."""
    limit: LetterLimit = 100
    """The most letters to replay at once, 1 to 1,000."""
    dry_run: bool = False
    """True to learn what would be replayed, and replay nothing."""


class RefusedDeadLetter(Value):
    """A letter that is not replayed, and why."""

    id: str
    """The id of the letter."""
    why: str
    """Why the letter cannot be replayed."""


class DeadLetterReplayResult(Value):
    """Which letters were given to their topics again."""

    replayed: tuple[str, ...]
    """The ids of the replayed letters; in a dry run, of those that would be."""
    refused: tuple[RefusedDeadLetter, ...] = ()
    """The letters that cannot be replayed."""
    unknown: tuple[str, ...] = ()
    """The given ids that no waiting letter has."""


class StageBacklog(Value):
    """Records of one topic that wait for one stage."""

    stage: str
    """The stage that reads the topic."""
    topic: str
    """The topic that the stage reads."""
    lag_records: int
    """The number of records on the topic that are not handled yet."""
    oldest_pending_seconds: float
    """The age of the oldest record that waits, in seconds; 0 if none waits."""


class BacklogReport(Value):
    """`GET /v1/backlog`: what waits in the stages, and for extraction."""

    stages: Sequence[StageBacklog]
    """The stages that run in the process that answers; others report in theirs."""
    waiting_extractions: int
    """The number of requests to the extractor that wait, in the whole deployment."""
    oldest_extraction_at: Instant | None = None
    """The moment since which the oldest of them waits; null if none waits."""
