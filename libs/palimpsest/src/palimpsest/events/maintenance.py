"""Events that the consolidator sends itself: maintenance of a namespace, and its results."""

from datetime import date
from typing import ClassVar, Literal

from palimpsest.events.command_properties import (
    CommandGiver,
    CommandProperties,
    CommandSurface,
    ProfileEffect,
)
from palimpsest.events.commands import CommandEvent
from palimpsest.events.embeddable_event import EmbeddableEvent
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.model.distillate import Distillate
from palimpsest.model.scope import Namespace
from palimpsest.model.value_types import Instant
from palimpsest.model.vectors import EmbeddableText


class RunMaintenance(CommandEvent):
    """Command: maintain everything of one user and agent, or of one user and no agent.

    A large run is several of these events, one after another: page by page in order of id, and at
    last one for the steps that need the whole namespace.
    """

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=(
            CommandSurface(
                route="POST /v1/maintenance", client_call="run_maintenance", terminal=None
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
        profile_effect=ProfileEffect.POLICY,
        tells_recall_use=False,
    )

    FILLED_IN: ClassVar[frozenset[str]] = frozenset({"day"})
    """Fields that a service fills in; a retry after midnight has another day."""

    type: Literal["RunMaintenance"] = "RunMaintenance"
    day: date
    """The day of UTC; there is one run for each day."""
    part: int = 0
    after: str | None = None
    """The memory up to which everything was inspected; None at the beginning."""
    whole: bool = False
    """True for the last part: the quota, and reflection on several memories."""
    actor: str = "maintenance"

    @property
    def is_of_the_day(self) -> bool:
        """True for the scheduled run of the day, not for one that somebody requested."""
        return self.actor == "maintenance"


class TurnsExpired(Event):
    """Turns of one exact scope that were deleted at the end of their retention."""

    type: Literal["TurnsExpired"] = "TurnsExpired"
    turn_ids: tuple[str, ...]


class MemoryDistilled(EmbeddableEvent):
    """A memory made of several, on its way past the embedder; applied if those are unchanged."""

    type: Literal["MemoryDistilled"] = "MemoryDistilled"
    made: Distillate
    actor: str = "maintenance"

    def texts(self) -> tuple[EmbeddableText, ...]:
        text = self.made.candidate.embedded_text
        return (EmbeddableText(dense=text, sparse=text),)


def build_memory_distilled(made: Distillate, cause: RunMaintenance) -> MemoryDistilled:
    """Build the proposal of a run; the same memories make the same event."""
    named = (f"{basis.memory_id} {basis.version}" for basis in made.rests_on)
    scope = made.candidate.scope
    return MemoryDistilled(
        event_id=derive_event_id("MemoryDistilled", scope.user_id, made.candidate.id, *named),
        occurred_at=cause.occurred_at,
        received_at=cause.received_at,
        epoch=cause.epoch,
        user_id=scope.user_id,
        agent_id=scope.agent_id,
        project_id=scope.project_id,
        trace=cause.trace,
        made=made,
    )


def build_daily_maintenance(
    namespace: Namespace, day: date, *, now: Instant, epoch: int
) -> RunMaintenance:
    """Build the namespace's run of a day: the same event whoever sends it, and however often."""
    return RunMaintenance(
        event_id=derive_event_id(
            "RunMaintenance", namespace.user_id, namespace.agent_id, day.isoformat()
        ),
        occurred_at=now,
        received_at=now,
        epoch=epoch,
        user_id=namespace.user_id,
        agent_id=namespace.agent_id,
        day=day,
    )


def build_next_maintenance_part(
    run: RunMaintenance, *, after: str | None = None, whole: bool = False
) -> RunMaintenance:
    """Build the next part of a run: pages from `after` on, or the part for the whole namespace."""
    part = run.part + 1
    place = "whole" if whole else after or ""
    event_id = derive_event_id("RunMaintenance", run.user_id, run.event_id, str(part), place)
    return run.model_copy(
        update={"event_id": event_id, "part": part, "after": after, "whole": whole}
    )
