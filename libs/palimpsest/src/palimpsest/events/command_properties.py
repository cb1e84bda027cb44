"""Properties of a command: everything that tells one command from another.

Each command states all of them where it is defined. Topics, stores, barriers, erasure, profiles,
the console, the client and the command line ask for the property that they need, and never list
commands by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

REASON_FIELD = frozenset({"reason"})
"""Free text that consists of a reason alone: every intake knows how to free it of secrets."""


class CommandGiver(StrEnum):
    """Who gives a command, and so which way it comes in."""

    PEOPLE = "people"
    """Over HTTP, the client or a terminal, or on the topic `commands`; the console takes it."""
    CHAT_SERVICES = "chat services"
    """Together with conversations; ingest takes it."""
    SERVICES = "services"
    """Only the services themselves."""


class ProfileEffect(StrEnum):
    """When a change that a command made is reason enough for a new profile."""

    FORGETS = "forgets"
    """Always: the profile may tell what a person had forgotten."""
    REWORDS = "rewords"
    """If a memory reads differently: a person set something right."""
    POLICY = "policy"
    """Only if text changed; that a policy removed a memory does not count."""
    NONE = "none"
    """As any other change."""


@dataclass(frozen=True, kw_only=True)
class CommandSurface:
    """Where people find a command."""

    route: str
    """Method and path of the console, such as `POST /v1/changes/{change_set_id}/undo`."""
    client_call: str
    """Method of `PalimpsestClient`."""
    terminal: str | None
    """Command line without `palimpsest`; None: people do not give it from a terminal."""


@dataclass(frozen=True, kw_only=True)
class MemoryAction:
    """A command about one memory that needs no more than its id, and perhaps a reason.

    Its route and its command line are made from this.
    """

    name: str
    """One word: last part of the route, method of the client, command under `memories`."""
    description: str
    """Shown in the API and in the help of the command line."""
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
    """All of these are stated for each command: what is left out would silently be missed."""

    given_by: CommandGiver
    surfaces: tuple[CommandSurface | MemoryAction, ...]
    """Where people find it; empty unless people give it."""
    free_text: frozenset[str]
    """Fields with words of people: freed of secrets before the command is stored."""
    needs_barrier: bool
    """Nothing that was read of its user before it may be used after it."""
    changes_settings: bool
    """Events after it are decided by other settings."""
    reads_stored_state: bool
    """Its subject is looked up in the store, so what comes before it must be stored."""
    reads_timeline: bool
    """Deciding it takes the memories of the same attribute and the same words."""
    changes_visibility: bool
    """Messages may be hidden or shown by it, so cached states of its user are dropped."""
    hides_evidence: bool
    """The messages of a memory that it forgets, rejects or archives are shown no more."""
    erases: bool
    """What it takes away is gone for good."""
    outlives_erasure: bool
    """Its record holds nothing of what was said, and stays so that a retry is recognised."""
    profile_effect: ProfileEffect
    tells_recall_use: bool
    """It tells which results of a recall were of use."""

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
