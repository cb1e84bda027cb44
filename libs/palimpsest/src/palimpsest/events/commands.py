"""Commands of people: stored before they are answered, and executed by the one writer."""

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
    """A command. It causes a change set, even an empty one, for which its sender looks."""

    FILLED_IN: ClassVar[frozenset[str]] = frozenset()
    """Fields that a service fills in: a retry is the same command, whatever they hold by then."""

    ALIASES: ClassVar[tuple[str, ...]] = ()
    """Other values of `type` that are accepted for one version: an old name, or the next one."""

    PROPERTIES: ClassVar[CommandProperties]
    """The properties of the command; the registry refuses a command without."""

    actor: str = "user"

    def named(self) -> tuple[str, ...]:
        """Ids of the memories that the command names."""
        return ()


class SingleMemoryCommand(CommandEvent):
    memory_id: str

    def named(self) -> tuple[str, ...]:
        return (self.memory_id,)


class ForgetMemory(SingleMemoryCommand):
    """Forget one memory, so that it can be restored."""

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
    """The version that was edited; None edits any version."""
    text: str | None = None
    """The text to embed after the edit; None if it stays the same."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return () if self.text is None else (EmbeddableText(dense=self.text, sparse=self.text),)


class RelateMemory(SingleMemoryCommand):
    """State the relation of a memory to another one of its scope; strength 0 removes it."""

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
    """Keep one memory whatever the forgetting policies say, or leave it to them again."""

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
    """Confirm a memory that waits for its user's confirmation."""

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
    """Reject a memory that waits for its user's confirmation."""

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
    """Restore a memory that was forgotten, archived or rejected."""

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
    """Merge several memories into one: the first stays, the others are archived."""

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
    """Archive the memories of `project_id`: of one agent, or of all if none is named."""

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
    """Erase one memory for good, with its history and its messages. Only its id remains."""

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
    """Messages to erase; those that the memory rests on when it is purged are erased in any case.
    """
    window_ids: tuple[str, ...] = ()
    """The windows in which a model was shown one of these messages."""
    summary_ids: tuple[str, ...] = ()
    """Summaries of the sessions of these messages; those of its own messages are erased in any
    case.
    """


class WithdrawEvidence(SingleMemoryCommand):
    """Withdraw a memory's evidence in these turns; forget the memory if no other evidence is left."""

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

    # Written under its old name for one more version, which the version before can read too.
    type: Annotated[Literal["UnsayMemory"], accept_alias("WithdrawEvidence", "UnsayMemory")] = (
        "UnsayMemory"
    )
    turn_ids: tuple[str, ...]
    reason: str = "its user asked not to have it remembered"
    actor: str = "consolidator"


class PurgeForgotten(CommandEvent):
    """Erase memories forgotten long ago, if they are unchanged since they were read."""

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
    """Erase the found records on a topic. The command lists records, and never names the topic."""

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
            "question_ids",
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
    question_ids: tuple[str, ...] = ()

    def named(self) -> tuple[str, ...]:
        return self.memory_ids


class ForgetEverything(CommandEvent):
    """Erase all data of a user, and begin a new epoch."""

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


class RefreshProfile(CommandEvent):
    """Write the profiles of a user anew, of the user layer and of each agent."""

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/profile/refresh",
                client_call="refresh_profile",
                terminal=None,
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
        profile_effect=ProfileEffect.REFRESHES,
        tells_recall_use=False,
    )

    type: Literal["RefreshProfile"] = "RefreshProfile"


class UndoChange(CommandEvent):
    """Undo a change set, where no later change has changed the same again."""

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
    """Undo all changes of a conversation, one by one, where no later change conflicts.

    With `agent_id` only changes that the agent sees are undone.
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
    """The conversation. Not named `session_id`, which would make the undo one of its changes."""


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
    """Complete a todo."""

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
    """Reopen a completed todo."""

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
    """Move a todo's reminder to another time, whether or not one was sent."""

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
    """Change some settings of a user. None leaves a setting unchanged, unless `reset` names it."""

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
    """Settings to reset: to following the conversation, the forgetting policy, or no quiet hours.
    """


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
