"""Properties of a command: everything that tells one command from another.

Each command states all of them where it is defined. Topics, stores, barriers, erasure, profiles,
the console, the client and the command line ask for a property, and never list commands by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

REASON_FIELD = frozenset({"reason"})
"""Free text that consists of a reason alone; every intake redacts it."""


class CommandGiver(StrEnum):
    """The giver of a command, and so the way it comes in."""

    PEOPLE = "people"
    """People, over HTTP, the client, a terminal or the topic `commands`; the console takes it."""
    CHAT_SERVICES = "chat services"
    """Chat services, among conversations; ingest takes it."""
    SERVICES = "services"
    """The services themselves."""


class ProfileEffect(StrEnum):
    """The effect of a command's change on the profile."""

    FORGETS = "forgets"
    """A new profile in any case: the current one may tell what was forgotten."""
    REWORDS = "rewords"
    """A new profile if a memory's text changed, because a person corrected it."""
    POLICY = "policy"
    """A new profile if a text changed; memories removed by a policy do not count."""
    REFRESHES = "refreshes"
    """A new profile in any case, because a person asked for it; the current one is shown until then."""
    NONE = "none"
    """The same effect as any other change."""


@dataclass(frozen=True, kw_only=True)
class CommandSurface:
    """The places where people find a command."""

    route: str
    """Method and path in the console, such as `POST /v1/changes/{change_set_id}/undo`."""
    client_call: str
    """The method of `PalimpsestClient`."""
    terminal: str | None
    """The command line without `palimpsest`; None if there is none."""


@dataclass(frozen=True, kw_only=True)
class MemoryAction:
    """A command about one memory that needs only its id and perhaps a reason.

    Its route and its command line are made from this.
    """

    name: str
    """One word: the last part of the route, the client's method, and the command under `memories`.
    """
    description: str
    """The description in the API and in the help of the command line."""
    values: Mapping[str, object] = field(default_factory=dict)
    """Fields of the command that this action sets."""

    @property
    def route(self) -> str:
        return f"POST /v1/memories/{{memory_id}}/{self.name}"

    @property
    def client_call(self) -> str:
        return self.name

    @property
    def terminal(self) -> str | None:
        return f"memories {self.name}"


@dataclass(frozen=True, kw_only=True)
class CommandProperties:
    """Properties of a command. Each must be stated, because a missing one would fail silently."""

    given_by: CommandGiver
    surfaces: tuple[CommandSurface | MemoryAction, ...]
    """Places where people find it; empty for commands that people do not give."""
    free_text: frozenset[str]
    """Fields with free text; they are redacted before the command is stored."""
    needs_barrier: bool
    """True if user state that was read before it must not be used after it."""
    changes_settings: bool
    """True if later events are decided by other settings."""
    reads_stored_state: bool
    """True if its subject is read from the store, so that earlier events must be stored first."""
    reads_timeline: bool
    """True if its decision needs memories of the same attribute and the same words."""
    changes_visibility: bool
    """True if it may hide or show messages, so that cached states of its user are dropped."""
    hides_evidence: bool
    """True if messages are hidden whose memory it forgets, rejects or archives."""
    erases: bool
    """True if it erases for good."""
    outlives_erasure: bool
    """True if its record holds no content, and stays so that a retry is recognised."""
    profile_effect: ProfileEffect
    tells_recall_use: bool
    """True if it tells which results of a recall were useful."""

    def __post_init__(self) -> None:
        if (self.given_by is CommandGiver.PEOPLE) != bool(self.surfaces):
            raise ValueError("a command has surfaces if, and only if, people give it")

    @property
    def given_by_people(self) -> bool:
        return self.given_by is CommandGiver.PEOPLE

    @property
    def memory_actions(self) -> tuple[MemoryAction, ...]:
        return tuple(surface for surface in self.surfaces if isinstance(surface, MemoryAction))

    @property
    def takes_reason_alone(self) -> bool:
        return self.free_text == REASON_FIELD
