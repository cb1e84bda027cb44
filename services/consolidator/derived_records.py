"""Records beside memories that are derived from the same change sets."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TypeVar

from palimpsest.events.topics import NOTIFICATIONS
from palimpsest.events.writes import SummaryReprojectionRequested
from palimpsest.model.change_set import ChangeSet, EntityChange, SummaryChange, TodoChange
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.change_sets import DecidedChangeSet
from palimpsest_server.stores.entities import EntityStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.profiles import ProfileNeeds, ProfileStore, profile_need_id
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.withheld_messages import WithheldStore
from services.consolidator.refresh_profiles import concerns_all_layers, find_profile_needs
from services.consolidator.summary_changes import SummaryPoints
from services.consolidator.todo_reminders import build_reminders, has_reminders

ChangeT = TypeVar("ChangeT", TodoChange, EntityChange)


class DerivedRecords:
    """Steps of a change set for todos, summaries, profiles and entities; all are idempotent."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        todos: TodoStore,
        summaries: SummaryStore,
        points: SummaryPoints | None,
        profiles: ProfileStore,
        needs: ProfileNeeds,
        entities: EntityStore,
        withheld: WithheldStore,
        namespaces: NamespaceRegistry,
        *,
        users: UserStates,
        publisher: Publisher,
        clock: Clock,
    ) -> None:
        self._users = users
        self._namespaces = namespaces
        self._profiles = profiles
        self._needs = needs
        self._clock = clock
        self._todos = todos
        self._summaries = summaries
        self._points = points
        self._entities = entities
        self._withheld = withheld
        self._publisher = publisher

    async def apply(self, change_sets: Sequence[ChangeSet]) -> None:
        await asyncio.gather(
            self._todos.apply(_changes(change_sets, TodoChange)),
            self._summaries.write(
                [
                    change.after
                    for change_set in change_sets
                    for change in change_set.summary_changes
                ]
            ),
            self._entities.write([change.after for change in _changes(change_sets, EntityChange)]),
        )
        await self._look_again(
            [
                summary_change
                for change_set in change_sets
                for summary_change in change_set.summary_changes
            ]
        )
        described = [
            change.after for change_set in change_sets for change in change_set.profile_changes
        ]
        await self._profiles.write(described)
        for profile in described:
            need_id = profile_need_id(profile.user_id, profile.agent_id)
            await self._needs.met(need_id, revision=profile.revision)

    async def _look_again(self, changes: Sequence[SummaryChange]) -> None:
        """Review summaries that were requested before something was forgotten, and arrive after it."""
        written: dict[str, set[str]] = {}
        for change in changes:
            written.setdefault(change.after.scope.user_id, set()).add(change.after.id)
        if written:
            await self._withheld.look_again(written)

    async def note(self, change_sets: Sequence[ChangeSet]) -> None:
        """Note the profiles that do not include these change sets yet. Nobody waits for it."""
        users = {
            change_set.user_id for change_set in change_sets if concerns_all_layers(change_set)
        }
        agents = {
            user_id: [
                namespace.agent_id
                for namespace in await self._namespaces.of_user(user_id)
                if namespace.agent_id is not None
            ]
            for user_id in users
        }
        await self._needs.note(find_profile_needs(change_sets, self._clock(), agents))

    async def project(self, decided: Sequence[DecidedChangeSet]) -> None:
        """Project the summaries of these change sets."""
        changes = [
            change
            for decided_change_set in decided
            for change in decided_change_set.change_set.summary_changes
        ]
        if changes and self._points is not None:
            vectors = {
                point: text_vectors
                for decided_change_set in decided
                for point, text_vectors in decided_change_set.vectors.items()
            }
            await self._points.project(changes, vectors)

    async def project_again(self, events: Sequence[SummaryReprojectionRequested]) -> None:
        """Project summaries whose missing vectors were requested and have arrived."""
        if self._points is not None:
            await self._points.again(events)

    async def announce(self, change_sets: Sequence[ChangeSet]) -> None:
        reminding = [change_set for change_set in change_sets if has_reminders(change_set)]
        if not reminding:
            return
        states = await self._users.of([change_set.user_id for change_set in reminding])
        due = [
            event
            for change_set in reminding
            for event in build_reminders(
                change_set, time_zone=states[change_set.user_id].settings.time_zone
            )
        ]
        await self._publisher.publish(NOTIFICATIONS, due)


def _changes(change_sets: Iterable[ChangeSet], record: type[ChangeT]) -> list[ChangeT]:
    return [
        change
        for change_set in change_sets
        for change in change_set.changes
        if isinstance(change, record)
    ]
