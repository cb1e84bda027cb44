"""Commands: what people ask for, stored before they are answered, done by the one writer."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from palimpsest.events.command_properties import (
    REASON_FIELD,
    CommandGiver,
    CommandProperties,
    CommandSurface,
    MemoryAction,
    ProfileEffect,
)
from palimpsest.events.embeddable_event import EmbeddableEvent
from palimpsest.events.envelope import Event
from palimpsest.model.content_limits import Content
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import ImportedMemory, MemoryAtVersion, StatedRelationType, memory_id
from palimpsest.model.memory_edits import MemoryEdits
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
)
from palimpsest.model.value_types import Identifier, Instant, Integer, UnitInterval
from palimpsest.model.vectors import EmbeddableText


def accept_alias(alias: str, name: str) -> BeforeValidator:
    """Build the validator of a `type` that is renamed: the alias is read as the present name."""
    return BeforeValidator(lambda value: name if value == alias else value)


class CommandEvent(Event):
    """Leaves a change set, even an empty one: whoever gave it looks for that."""

    FILLED_IN: ClassVar[frozenset[str]] = frozenset()
    """Fields that were not asked for: a retry is the same command, whatever they say by then."""

    ALIASES: ClassVar[tuple[str, ...]] = ()
    """Other values of `type` that are read for one version: an old name, or the next one."""

    PROPERTIES: ClassVar[CommandProperties]
    """Stated by each command; the registry refuses one without."""

    actor: str = "user"

    def named(self) -> tuple[str, ...]:
        """The memories that it speaks of by id."""
        return ()


class SingleMemoryCommand(CommandEvent):
    memory_id: str

    def named(self) -> tuple[str, ...]:
        return (self.memory_id,)


class ForgetMemory(SingleMemoryCommand):
    """Forget one memory, softly."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            MemoryAction(
                name="forget", description="Forget one memory, softly: it can be restored."
            ),
        ),
        free_text=REASON_FIELD,
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=True,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.FORGETS,
        tells_recall_use=False,
    )

    type: Literal["ForgetMemory"] = "ForgetMemory"
    reason: str = "forgotten by its user"


class EditMemory(SingleMemoryCommand, EmbeddableEvent):
    """Change what a memory says: its next version, with the one before in its history."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="PATCH /v1/memories/{memory_id}", client_call="edit", terminal="memories edit"
            ),
        ),
        free_text=frozenset({"edits"}),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset({"text", "vectors"})

    type: Literal["EditMemory"] = "EditMemory"
    edits: MemoryEdits
    version: Integer | None = None
    """The version that was looked at; None edits whatever stands."""
    text: str | None = None
    """The text to embed after the edit; None if it stays the same."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return () if self.text is None else (EmbeddableText(dense=self.text, sparse=self.text),)


class RelateMemory(SingleMemoryCommand):
    """State how one memory relates to another of its scope; strength 0 takes the relation back."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/memories/{memory_id}/relations", client_call="relate", terminal=None
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["RelateMemory"] = "RelateMemory"
    other_id: str
    relation: StatedRelationType
    strength: UnitInterval = 0.5

    def named(self) -> tuple[str, ...]:
        return (self.memory_id, self.other_id)


class PinMemory(SingleMemoryCommand):
    """Keep one memory whatever the policies say, or no longer."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            MemoryAction(
                name="pin",
                description="Keep it, whatever the policies of forgetting say.",
                values={"pinned": True},
            ),
            MemoryAction(
                name="unpin",
                description="Leave it to the policies again.",
                values={"pinned": False},
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["PinMemory"] = "PinMemory"
    pinned: bool = True


class ConfirmMemory(SingleMemoryCommand):
    """Yes to a memory that waits for it."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            MemoryAction(name="confirm", description="Say yes to a memory that waits for it."),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=True,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    type: Literal["ConfirmMemory"] = "ConfirmMemory"


class RejectMemory(SingleMemoryCommand):
    """No to a memory that waits for a yes."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            MemoryAction(name="reject", description="Say no to a memory that waits for a yes."),
        ),
        free_text=REASON_FIELD,
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=True,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.FORGETS,
        tells_recall_use=False,
    )

    type: Literal["RejectMemory"] = "RejectMemory"
    reason: str = "rejected by its user"


class RestoreMemory(SingleMemoryCommand):
    """Take back that a memory was forgotten, archived or rejected."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            MemoryAction(
                name="restore", description="Take back that it was forgotten, archived or rejected."
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=True,
        changes_visibility=True,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    type: Literal["RestoreMemory"] = "RestoreMemory"


class MergeMemories(CommandEvent, EmbeddableEvent):
    """Make one memory of several: the first named stays, the others are archived."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/memories/merge", client_call="merge", terminal="memories merge"
            ),
        ),
        free_text=frozenset({"content", "summary"}),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset({"vectors"})

    type: Literal["MergeMemories"] = "MergeMemories"
    memory_ids: tuple[str, ...] = Field(min_length=2, max_length=100)
    content: Content | None = None
    """The content of the merged memory; None keeps that of the first."""
    summary: str | None = None

    def texts(self) -> tuple[EmbeddableText, ...]:
        if self.content is None:
            return ()
        text = MemoryEdits(content=self.content, summary=self.summary).new_text()
        return (EmbeddableText(dense=text, sparse=text),)

    def named(self) -> tuple[str, ...]:
        return self.memory_ids


class CloseProject(CommandEvent):
    """Archive what is remembered of `project_id`: of one agent, or of all where none is named."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/projects/{project_id}/close",
                client_call="close_project",
                terminal="projects close",
            ),
        ),
        free_text=REASON_FIELD,
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=True,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["CloseProject"] = "CloseProject"
    reason: str = "project closed"


class PurgeMemory(SingleMemoryCommand):
    """Erase one memory for good, with its history and the messages that say it.

    What is left is that there was one.
    """

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/memories/{memory_id}/purge",
                client_call="purge",
                terminal="memories purge",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=False,
        erases=True,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset({"turn_ids", "window_ids", "summary_ids"})

    type: Literal["PurgeMemory"] = "PurgeMemory"
    turn_ids: tuple[str, ...] = ()
    """Messages to erase; those that the memory rests on when it is purged go in any case."""
    window_ids: tuple[str, ...] = ()
    """The windows in which a model was shown one of these messages."""
    summary_ids: tuple[str, ...] = ()
    """Summaries of the sessions in which these were said; those of its own messages go in any case.
    """


class WithdrawEvidence(SingleMemoryCommand):
    """Let one memory say no more what was said in these turns; forget it where nothing else says it."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.SERVICES,
        surfaces=(),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=True,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.FORGETS,
        tells_recall_use=False,
    )

    ALIASES: ClassVar[tuple[str, ...]] = ("WithdrawEvidence",)

    # Written under its old name for one more version, which the version before can read as well.
    type: Annotated[Literal["UnsayMemory"], accept_alias("WithdrawEvidence", "UnsayMemory")] = (
        "UnsayMemory"
    )
    turn_ids: tuple[str, ...]
    reason: str = "its user asked not to have it remembered"
    actor: str = "consolidator"


class PurgeForgotten(CommandEvent):
    """Erase what has been forgotten for long, where it still is as it was looked at."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.SERVICES,
        surfaces=(),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=True,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["PurgeForgotten"] = "PurgeForgotten"
    memories: tuple[MemoryAtVersion, ...]
    actor: str = "maintenance"

    def named(self) -> tuple[str, ...]:
        return tuple(memory.memory_id for memory in self.memories)


class DeleteProject(CommandEvent):
    """Erase all that was said and remembered in `project_id`: with one agent, or with all."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="DELETE /v1/projects/{project_id}",
                client_call="delete_project",
                terminal="projects delete",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=True,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=False,
        erases=True,
        outlives_erasure=True,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["DeleteProject"] = "DeleteProject"


class ForgetTopic(CommandEvent):
    """Erase what was found on a topic. It names what that is, and never the topic itself."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/forget-topic", client_call="forget_topic", terminal="forget-topic"
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=False,
        erases=True,
        outlives_erasure=True,
        profile_effect=ProfileEffect.FORGETS,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset(
        {
            "memory_ids",
            "turn_ids",
            "window_ids",
            "request_ids",
            "summary_ids",
            "dead_letter_ids",
        }
    )
    """The records found; a retry may find nothing left."""

    type: Literal["ForgetTopic"] = "ForgetTopic"
    memory_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    window_ids: tuple[str, ...] = ()
    request_ids: tuple[str, ...] = ()
    summary_ids: tuple[str, ...] = ()
    dead_letter_ids: tuple[str, ...] = ()

    def named(self) -> tuple[str, ...]:
        return self.memory_ids


class ForgetEverything(CommandEvent):
    """Erase all there is of a user, and begin a new epoch."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/forget-everything",
                client_call="forget_everything",
                terminal="forget-everything",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=True,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=True,
        outlives_erasure=True,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["ForgetEverything"] = "ForgetEverything"


class UndoChange(CommandEvent):
    """Put back what a change set changed, where nothing later has changed it again."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/changes/{change_set_id}/undo",
                client_call="undo",
                terminal="changes undo",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=True,
        changes_settings=True,
        reads_stored_state=True,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=True,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    type: Literal["UndoChange"] = "UndoChange"
    change_set_id: str


class UndoSession(CommandEvent):
    """Put back all that a conversation changed, change by change, where nothing later is in the way.

    With `agent_id` only what that agent sees is put back.
    """

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/conversations/{session_id}/undo",
                client_call="undo_session",
                terminal="sessions undo",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=True,
        changes_settings=True,
        reads_stored_state=True,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=True,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    type: Literal["UndoSession"] = "UndoSession"
    undone_session_id: Identifier
    """The conversation. Not `session_id`, which would make the undoing one of its changes."""


class ImportMemories(CommandEvent, EmbeddableEvent):
    """Take in memories of an export as they were, with their evidence, times and status."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/import", client_call="import_memories", terminal="import"
            ),
        ),
        free_text=frozenset({"memories"}),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=True,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset({"vectors"})

    type: Literal["ImportMemories"] = "ImportMemories"
    memories: tuple[ImportedMemory, ...] = Field(min_length=1, max_length=100)

    def texts(self) -> tuple[EmbeddableText, ...]:
        said = dict.fromkeys(imported.memory.embedded_text for imported in self.memories)
        return tuple(EmbeddableText(dense=text, sparse=text) for text in said)

    def named(self) -> tuple[str, ...]:
        ids = [imported.memory.id for imported in self.memories]
        return (*ids, *(imported_memory_id(self.user_id, each) for each in ids))


def imported_candidate_id(original_id: str) -> str:
    """Derive the id of the candidate that a memory of an export is."""
    return derive_id("candidate", "import", original_id)


def imported_memory_id(user_id: str, original_id: str) -> str:
    """Derive the id that a memory of an export has once this user has imported it."""
    return memory_id(user_id, imported_candidate_id(original_id))


class CompleteTodo(CommandEvent):
    """This is done."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/todos/{todo_id}/complete",
                client_call="complete_todo",
                terminal="todos complete",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["CompleteTodo"] = "CompleteTodo"
    todo_id: str


class ReopenTodo(CommandEvent):
    """This is to be done after all."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/todos/{todo_id}/reopen",
                client_call="reopen_todo",
                terminal="todos reopen",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["ReopenTodo"] = "ReopenTodo"
    todo_id: str


class SnoozeTodo(CommandEvent):
    """Remind of this at another time, whether or not a reminder was given."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/todos/{todo_id}/snooze",
                client_call="snooze_todo",
                terminal="todos snooze",
            ),
        ),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["SnoozeTodo"] = "SnoozeTodo"
    todo_id: str
    until: Instant
    """When to send the reminder."""


class SetSettings(CommandEvent):
    """Change some of a user's settings; what is None stays, unless it is among the reset."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(route="PUT /v1/settings", client_call="set_settings", terminal=None),
        ),
        free_text=frozenset(),
        needs_barrier=True,
        changes_settings=True,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=True,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["SetSettings"] = "SetSettings"
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
    reset: tuple[Literal["language", "compression", "quiet_hours"], ...] = ()
    """Back to following the conversation, or the forgetting policy, or to no quiet hours."""


class SetTier(CommandEvent):
    """Set how much is kept for each of a user's agents; None gives the deployment's default."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="PUT /v1/settings/tier", client_call="set_tier", terminal="set-tier"
            ),
        ),
        free_text=frozenset(),
        needs_barrier=True,
        changes_settings=True,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=True,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=False,
    )

    type: Literal["SetTier"] = "SetTier"
    tier: Tier | None = None
