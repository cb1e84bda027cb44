"""Requests and responses of the HTTP API, apart from recall. Unknown fields are refused."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from palimpsest.api.scoped_request import (
    LayeredScopedRequest,
    WidenedLayeredRequest,
    WidenedRequest,
)
from palimpsest.model.change_set import Cause
from palimpsest.model.kinds import Kind, KindByName
from palimpsest.model.memory import HELD_STATUSES, Accesses, Memory, Status
from palimpsest.model.profile import Profile
from palimpsest.model.quality_report import QualityReport
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.turn import Role, Turn
from palimpsest.model.usage import UsageRow, UsageSum
from palimpsest.model.user import (
    CompressionPolicy,
    ForgettingPolicy,
    Language,
    QuietHours,
    ReviewPolicy,
    SensitiveTopic,
    SharingPolicy,
    Tier,
    TimeZoneName,
    UserSettings,
)
from palimpsest.model.value_types import Day, Identifier, Instant, Value


class EventBatch(BaseModel):
    """`POST /v1/events` with many events: each is checked by itself, so a bad event rejects no other."""

    model_config = ConfigDict(extra="forbid")

    events: list[dict[str, Any]] = Field(min_length=1, max_length=500)


class FieldProblem(Value):
    """One invalid field, and its problem."""

    field: str
    problem: str


class Problem(Value):
    """An error in words for people, and a reason for programs. Readers ignore unknown fields."""

    model_config = ConfigDict(extra="ignore")

    reason: str
    message: str
    fields: tuple[FieldProblem, ...] = ()
    change_set_id: str | None = None
    """The later change set that conflicts with the request; null if none does."""
    advice: str | None = None
    """The next step for the sender of the request; null if there is none."""


class HttpProblem(Problem):
    """The body of an error over HTTP: a `Problem` in the form of RFC 9457 (`application/problem+json`).

    `reason` and `message` repeat `type` and `detail`, so that readers of either form understand it.
    """

    type: str
    """The kind of problem as a URI; its last part is `reason`."""
    title: str
    """The name of the HTTP status."""
    status: int
    """The HTTP status of the response."""
    detail: str
    """The error in words for people; the same as `message`."""


class EventResult(Value):
    status: Literal[202, 409, 422]
    """The HTTP status that the event would have had by itself."""
    event_id: str | None = None
    outcome: Literal["accepted", "duplicate", "dropped", "conflict", "invalid"]
    """The outcome. `dropped` events are incognito, or the user has turned memory off; they are not
    stored."""
    problem: Problem | None = None


class EventResults(Value):
    results: tuple[EventResult, ...]
    """One result for each event, in order."""


class MemorySort(StrEnum):
    """Orders of a list of memories."""

    NEWEST = "newest"
    OLDEST = "oldest"
    OCCURRED = "occurred"
    """By when it happened or was said, the latest first."""
    IMPORTANCE = "importance"


class MemoryQuery(WidenedLayeredRequest):
    """`GET /v1/memories`: memories that a scope sees; active ones unless statuses are named."""

    status: frozenset[Status] | None = None
    """The statuses to list; left out, active memories."""
    kind: frozenset[KindByName] | None = None
    as_of: Instant | None = None
    """A past moment: list the memories that held then, by what is known now."""
    tag: frozenset[str] | None = None
    """Only memories that are filed under all of these words; case does not count."""
    text: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Only memories in whose content, summary, quotes or tags these words stand, or whose attribute
    they name in either language; case does not count."""
    record_key: Identifier | None = None
    """Only the memory that was added in exactly this scope under this key of the caller's own."""
    since: Instant | None = None
    """Only of what happened or was said at this moment or later."""
    until: Instant | None = None
    """Only of what happened or was said before this moment."""
    sort: MemorySort = MemorySort.NEWEST
    """The order: newest or oldest recorded first, by when it happened, or the most important first."""
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    """The most memories to return, 1 to 500."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""

    @property
    def statuses(self) -> frozenset[Status]:
        """The statuses to list; with a past moment superseded memories are added."""
        return self.status or (frozenset({Status.ACTIVE}) if self.as_of is None else HELD_STATUSES)

    @property
    def is_plain(self) -> bool:
        """True if the list is read as it is stored, newest first, without a look at the words."""
        filters = (self.tag, self.text, self.since, self.until)
        return self.sort is MemorySort.NEWEST and all(one is None for one in filters)


class MemoryList(Value):
    """One page of memories, newest first."""

    memories: tuple[Memory, ...]
    accesses: Mapping[str, Accesses] = {}
    """The number of recalls that returned each memory, by its id, and the time of the last one."""
    importance_levels: Mapping[str, int] = {}
    """The importance of each memory on a scale of 1 to 10, by its id."""
    next_cursor: str | None = None


class MemoryRevision(Value):
    """One change of a memory."""

    revision: int
    """The user's revision of the change set."""
    change_set_id: str
    """The change set that made this revision; use this id to undo it."""
    decided_at: Instant
    actor: str
    reason: str
    cause: Cause
    before: Memory | None = None
    after: Memory


class MemoryDetail(Value):
    """A memory with its history, latest change first."""

    memory: Memory
    accesses: Accesses = Accesses()
    """The number of recalls that returned it, and the time of the last one."""
    importance_level: int | None = None
    """Its importance on a scale of 1 to 10; half of it, rounded up, is the level on a scale of 1 to
    5.
    """
    history: tuple[MemoryRevision, ...]


class MemoryStatistics(Value):
    """`GET /v1/stats`: figures on a user's current memories, without content."""

    active: int
    """The number of active memories."""
    by_kind: Mapping[Kind, int]
    """Active memories by kind."""
    by_status: Mapping[Status, int]
    """All memories by status."""
    average_importance: float
    """The mean importance of active memories, 0 to 1; 0 if there are none."""
    accesses: int
    """The number of times that recalls returned an active memory."""
    by_day: Mapping[Day, int] = {}
    """All memories that were not erased, by the day of UTC on which they were recorded."""


class TurnQuery(WidenedRequest):
    """`GET /v1/turns/{turn_id}`: from where the message is seen."""


class TurnDetail(Value):
    """One message with those right before and after it, oldest first."""

    turn: Turn
    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()


class ProfileQuery(Value):
    """`GET /v1/profile`: the profile of a user, as an agent reads it.

    Without `agent_id` it is made of the user layer alone; with it, of the agent's own memories as
    well. `language` is the language of the text for an unknown user; left out, it is the user's
    language.
    """

    user_id: Identifier
    agent_id: Identifier | None = None
    """The agent that reads the profile."""
    language: Language | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    """The most versions to return, 1 to 100."""


class ProfileHistory(Value):
    """Versions of a profile, latest first."""

    versions: tuple[Profile, ...]


class ProfileDifferenceQuery(Value):
    """`GET /v1/profile/difference`: whose profile, and which two versions of it."""

    user_id: Identifier
    agent_id: Identifier | None = None
    """The agent whose own layer is compared; left out, the user layer."""
    before: Annotated[int, Field(ge=1)] | None = None
    """The earlier version; left out, the one before `after`."""
    after: Annotated[int, Field(ge=1)] | None = None
    """The later version; left out, the latest."""


class SentenceChange(Value):
    """A sentence of a profile that stays, comes or goes."""

    change: Literal["same", "added", "removed"]
    """Its part in the difference."""
    sentence: str
    """The words of the sentence."""


class ProfileDifference(Value):
    """The difference between two versions of a profile, sentence by sentence."""

    before: int
    """The number of the earlier version."""
    after: int
    """The number of the later version."""
    sentences: tuple[SentenceChange, ...]
    """The sentences of both versions, in their order."""
    basic_info: Mapping[str, tuple[str | None, str | None]]
    """The basic information that differs, by its name: before and after."""


class SummaryQuery(LayeredScopedRequest):
    """`GET /v1/sessions/summaries`: summaries that a scope sees, latest first."""

    before: Instant | None = None
    """Only sessions that ended before this moment; give the last `ended_at` for the next page."""
    limit: Annotated[int, Field(ge=1, le=100)] = 5
    """The most summaries to return, 1 to 100."""


class SummaryList(Value):
    """Summaries of sessions, latest session first."""

    summaries: tuple[SessionSummary, ...]


class RequestedWindow(Value):
    """A range of a session that is being extracted, from first to last turn."""

    window_id: str
    turns: int
    first_sequence: int
    last_sequence: int
    change_set_id: str | None
    """The change set that will follow; null if none will."""


class ExtractionStarted(Value):
    """`POST /v1/sessions/{id}/extract`: the windows that are being extracted, in order."""

    session_id: Identifier
    turns: int
    """The number of messages in these windows; 0 if nothing was said or memory is off."""
    on_their_way: int = 0
    """The number of accepted messages that are in no window yet; repeat the request for them."""
    windows: tuple[RequestedWindow, ...] = ()


class TodoQuery(WidenedLayeredRequest):
    """`GET /v1/todos`: todos that a scope sees; open ones unless states are named."""

    state: frozenset[TodoState] = frozenset({TodoState.OPEN})
    due_before: Instant | None = None
    """Only todos due before this moment; todos without a date are left out."""
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    """The most todos to return, 1 to 500."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class TodoList(Value):
    """One page of todos, earliest due first."""

    todos: tuple[Todo, ...]
    next_cursor: str | None = None


class RepeatingMessage(Value):
    """A message that repeats a memory and is not part of its evidence."""

    id: str
    session_id: Identifier
    message_id: Identifier
    role: Role
    beginning: str
    """The first words of the message, at most 120 characters."""
    goes: bool
    """True if it is erased as well: agents and tools only repeat what they were told."""


class CommandResult(Value):
    """The effect of a command."""

    command_id: str
    applied: bool
    revision: int | None = None
    change_set_id: str | None = None
    """The change set that the command made; use this id to undo it."""
    changed: int = 0
    """The number of memories that the command changed."""
    memory: Memory | None = None
    """The memory that the command was about, in its current version."""
    settings: UserSettings | None = None
    todo: Todo | None = None
    would_go: dict[str, int] | None = None
    """For a dry run: the number of records that would be erased, by type."""
    also_said: tuple[Memory, ...] = ()
    """After a purge: other memories that rest on the erased messages. They stay and may say the
    same; purge those that should go as well.
    """
    repeated_by: tuple[RepeatingMessage, ...] = ()
    """For a purge: other messages that repeat the memory. Those of agents are erased as well, those
    of people stay.
    """


class SettingsUpdate(Value):
    """Settings to change.

    A setting that is left out stays as it is; a null language follows the conversation.
    """

    memory_enabled: bool | None = None
    automatic_extraction: bool | None = None
    review: ReviewPolicy | None = None
    sensitive_topics: tuple[SensitiveTopic, ...] | None = None
    withheld_topics: tuple[SensitiveTopic, ...] | None = None
    time_zone: TimeZoneName | None = None
    language: Language | None = None
    citations: bool | None = None
    sharing_policy: SharingPolicy | None = None
    forgetting_policy: ForgettingPolicy | None = None
    compression: CompressionPolicy | None = None
    quiet_hours: QuietHours | None = None
    """Hours without reminders; null for none."""


class QuotaState(Value):
    """`GET /v1/quota`: the number of active memories of one user and agent, and its limit."""

    tier: Tier
    current: int
    limit: int | None
    """The highest number of active memories; null for no limit."""
    can_add: bool
    """True if one more memory fits; otherwise adding one archives another."""


class QualityReports(Value):
    """`GET /v1/reports`: figures of the latest quality round, without content."""

    total: QualityReport | None
    """The report on all memories; null before the first round."""
    by_agent: Mapping[str, QualityReport] = {}
    """Reports by agent id, only for one user; "" stands for memories of no agent."""


class DeploymentUsageQuery(Value):
    """`GET /v1/usage/deployment`: the usage of a range of days, in UTC; by default the last 30."""

    since: Day | None = None
    """The first day, included; left out, 30 days before the last."""
    until: Day | None = None
    """The last day, included; left out, today."""

    @field_validator("until")
    @classmethod
    def _not_before_since(cls, until: date | None, fields: ValidationInfo) -> date | None:
        since = fields.data.get("since")
        if until is not None and since is not None and until < since:
            raise ValueError(f"must not be before `since`, which is {since}")
        return until


class UsageQuery(DeploymentUsageQuery):
    """`GET /v1/usage`: the usage of one user."""

    user_id: Identifier
    agent_id: Identifier | None = None
    """Only calls made for this agent."""


class DeploymentUsage(Value):
    """Tokens and cost of language models: a row for each day, task and model, latest day first.

    `cost_millionths` is in the currency of the configured prices. A call is included once it has
    ended, and is kept for 400 days.
    """

    since: date
    until: date
    rows: tuple[UsageRow, ...]
    total: UsageSum


class UserUsage(DeploymentUsage):
    """The usage of one user. Calls from before the user erased everything belong to no user."""

    user_id: Identifier
    agent_id: Identifier | None = None
