"""Profiles: notes which are out of date, asks the extractor, and decides on its answer."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import ProfileProposed
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.change_set import ChangeSet, ProfileChange
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.memory import Memory
from palimpsest.model.profile import Profile
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.user import UserState
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.profiles.refresh_schedule import (
    LONGEST,
    QUIET,
    REMEMBER,
    find_earliest_refresh,
    has_profile_content,
    has_user_correction,
    is_profile_summary,
    is_refresh_due,
    is_refresh_reason,
    is_refresh_request,
    select_layer,
)
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.profiles import (
    ProfileKey,
    ProfileNeed,
    ProfileNeeds,
    ProfileStore,
    profile_need_id,
)
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.profile_requests import (
    CHANGES,
    RECENTLY_DONE_PERIOD,
    SUMMARIES,
    build_profile_request,
    find_included_summary_time,
)

PROFILE_INTERVAL = timedelta(seconds=3)
NEEDS_PER_LOOK = 16

FIRST_RETRY_DELAY = timedelta(minutes=10)
"""Time before a question without an answer is repeated. It doubles each time, up to a day."""

MAXIMUM_NAMESPACE_MEMORIES = 1_000
"""The most active memories that are read, latest first."""
MAXIMUM_SUPERSEDED_MEMORIES = 8 * CHANGES
"""The most superseded memories that are read to find changes. Some belong to projects, and the
replacement of some is gone.
"""

_log = structlog.get_logger("palimpsest.consolidator")


def find_profile_needs(
    change_sets: Iterable[ChangeSet],
    now: datetime,
    agents: Mapping[str, Collection[str]] | None = None,
) -> list[ProfileNeed]:
    """Return one profile need for each layer that these change sets concern.

    Args:
        change_sets: the decided change sets.
        now: the moment.
        agents: all agents of each user whose change concerns all layers. After something was
            erased, forgotten or corrected none of the earlier profiles may be shown any more,
            because each may tell of it.
    """
    return [
        ProfileNeed(
            id=profile_need_id(change_set.user_id, agent_id),
            owner_id=None if agent_id is None else change_set.user_id,
            agent_id=agent_id,
            revision=own.revision,
            news_revision=own.revision if is_refresh_reason(own) else 0,
            unchecked_revision=own.revision if has_user_correction(own) else 0,
            told_revision=own.revision
            if own.cause.type == REMEMBER or concerns_all_layers(own)
            else 0,
            epoch=own.epoch,
            first_noted=now,
            look_at=now if is_refresh_request(own) else now + QUIET,
        )
        for change_set in change_sets
        for agent_id, own in _layers_of(change_set, (agents or {}).get(change_set.user_id, ()))
        if has_profile_content(own)
    ]


def concerns_all_layers(change_set: ChangeSet) -> bool:
    """Return whether the profiles of all layers of the user are written anew, and without delay."""
    return is_refresh_request(change_set) or has_user_correction(change_set)


def _layers_of(
    change_set: ChangeSet, agents: Collection[str]
) -> Iterator[tuple[str | None, ChangeSet]]:
    """Yield the agents whose layers a change set concerns, None for the user layer, and its part."""
    scopes = [change.after.scope for change in change_set.memory_changes]
    scopes += [change.after.scope for change in change_set.summary_changes]
    own_agents = {scope.agent_id for scope in scopes if scope.agent_id is not None}
    everywhere = concerns_all_layers(change_set)
    for agent_id in (None, *sorted(own_agents | set(agents) if everywhere else own_agents)):
        yield agent_id, change_set if everywhere else select_layer(change_set, agent_id)


def decide_profile_change(
    known: Mapping[ProfileKey, Profile], event: ProfileProposed
) -> tuple[ProfileChange, ...]:
    """Return the change to the next version of a profile.

    Nothing changes if another profile became that version since the question was asked, or if the
    question predates the separation of layers.

    Raises:
        InvalidEvent: the profile is of another user.
    """
    if event.profile.user_id != event.user_id:
        raise InvalidEvent("a profile belongs to another user than its event")
    standing = known.get((event.user_id, event.profile.agent_id))
    before = standing if standing is not None and standing.epoch == event.profile.epoch else None
    if not event.profile.isolated:
        return ()
    if event.profile.version != (before.version if before else 0) + 1:
        return ()
    return (ProfileChange(before=before, after=event.profile),)


async def read_current_profiles(
    store: ProfileStore, events: Iterable[Event]
) -> Mapping[ProfileKey, Profile]:
    """Return the current profiles that these events may replace."""
    users: dict[str | None, set[str]] = {}
    for event in events:
        if isinstance(event, ProfileProposed):
            users.setdefault(event.profile.agent_id, set()).add(event.user_id)
    return {
        (user_id, agent_id): profile
        for agent_id, user_ids in users.items()
        for user_id, profile in (await store.latest(user_ids, agent_id=agent_id)).items()
    }


class ProfileRefresher:
    """Finds out-of-date profiles, and asks the extractor for new ones.

    The id of a question is derived from the current version and from what the next one must
    include, so several processes ask the same question.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        needs: ProfileNeeds,
        profiles: ProfileStore,
        summaries: SummaryStore,
        todos: TodoStore,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        users: UserStates,
        publisher: Publisher,
        clock: Clock,
    ) -> None:
        self._needs = needs
        self._profiles = profiles
        self._summaries = summaries
        self._todos = todos
        self._memories = memories
        self._namespaces = namespaces
        self._users = users
        self._publisher = publisher
        self._clock = clock

    async def watch(self) -> None:
        """Ask for due profiles periodically, until cancelled."""
        await run_periodically(
            self.look,
            every=PROFILE_INTERVAL,
            log=_log,
            failure="could not look after profiles",
        )

    async def look(self) -> int:
        """Ask for the profiles that are due, and return their number."""
        needs = await self._needs.due(now=self._clock(), limit=NEEDS_PER_LOOK)
        if not needs:
            return 0
        states = await self._users.of({need.user_id for need in needs})
        return sum([await self._look_at(need, states[need.user_id]) for need in needs])

    async def _look_at(self, need: ProfileNeed, state: UserState) -> bool:
        now = self._clock()
        if need.epoch < state.epoch:
            await self._needs.met(need.id, revision=need.revision)
            return False
        if not state.settings.memory_enabled:
            await self._needs.later(need, look_at=now + LONGEST, asked=need.asked)
            return False
        profiles = await self._profiles.latest([need.user_id], agent_id=need.agent_id)
        profile = profiles.get(need.user_id)
        standing = profile if profile is not None and profile.epoch == state.epoch else None
        told = need.told_revision > (standing.revision if standing else 0)
        waits_until = find_earliest_refresh(standing, told=told, asked_at=need.asked_at)
        if waits_until is not None and now < waits_until:
            await self._needs.later(need, look_at=waits_until, asked=0)
            return False
        through = find_included_summary_time(standing)
        made = await self._summaries.made_since(need.user_id, through, now=now)
        summaries = [
            summary
            for summary in made
            if summary.scope.agent_id == need.agent_id
            and is_profile_summary(summary)
            and is_summary_visible(summary, state)
        ]
        news = need.news_revision > (standing.revision if standing else 0)
        if not is_refresh_due(
            standing, summaries=len(summaries), news=news, first_noted=need.first_noted, now=now
        ):
            since = need.first_noted if standing is None else standing.made_at
            await self._needs.later(
                need, look_at=max(since + LONGEST, now + FIRST_RETRY_DELAY), asked=0
            )
            return False
        if not await self._ask(need, standing, summaries, state):
            await self._needs.met(need.id, revision=need.revision)
            return False
        wait = min(FIRST_RETRY_DELAY * 2**need.asked, timedelta(days=1))
        await self._needs.later(need, look_at=now + wait, asked=need.asked + 1, asked_at=now)
        return True

    async def _ask(
        self,
        need: ProfileNeed,
        standing: Profile | None,
        summaries: Sequence[SessionSummary],
        state: UserState,
    ) -> bool:
        """Ask for a profile; False for a layer that never had any content."""
        question = build_profile_request(
            need,
            standing,
            summaries=summaries[-SUMMARIES:],
            memories=await self._memories_of(need, state.epoch),
            todos=await self._todos_of(need, state.epoch),
            state=state,
            now=self._clock(),
        )
        tells = (
            question.facts
            or question.basic_info
            or question.changes
            or question.summaries
            or question.open_todos
            or question.done_todos
        )
        if standing is None and not tells:
            return False
        await self._publisher.publish(EXTRACTIONS, [question])
        return True

    async def _memories_of(self, need: ProfileNeed, epoch: int) -> list[Memory]:
        """Return the layer's memories, of no project: a profile goes with every conversation."""
        memories: list[Memory] = []
        for namespace in await self._namespaces.of_user(need.user_id):
            if namespace.agent_id != need.agent_id:
                continue
            memories += await self._memories.latest(namespace, limit=MAXIMUM_NAMESPACE_MEMORIES)
            memories += await self._memories.superseded(
                namespace, limit=MAXIMUM_SUPERSEDED_MEMORIES
            )
        return [
            memory
            for memory in memories
            if memory.scope.project_id is None and memory.epoch >= epoch
        ]

    async def _todos_of(self, need: ProfileNeed, epoch: int) -> list[Todo]:
        """Return the layer's open and recently done todos, of no project."""
        todos = [
            *await self._todos.open_of([need.user_id]),
            *await self._todos.done_since(need.user_id, self._clock() - RECENTLY_DONE_PERIOD),
        ]
        layer = Scope(user_id=need.user_id, agent_id=need.agent_id)
        return [todo for todo in todos if todo.scope == layer and todo.epoch >= epoch]
