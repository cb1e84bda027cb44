"""Profiles: whose are to be made anew, when the extractor is asked, and what comes of its answer."""

from collections.abc import Iterable, Mapping, Sequence
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
)
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.profiles import ProfileNeed, ProfileNeeds, ProfileStore
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
"""Where no answer came, and twice as long each time, up to a day."""

MAXIMUM_NAMESPACE_MEMORIES = 1_000
"""The latest that are active."""
MAXIMUM_SUPERSEDED_MEMORIES = 8 * CHANGES
"""For the changes among them: some are of projects, and some gave way to what is gone as well."""

_log = structlog.get_logger("palimpsest.consolidator")


def find_profile_needs(change_sets: Iterable[ChangeSet], now: datetime) -> list[ProfileNeed]:
    """Return the profile needs that follow from these change sets."""
    return [
        ProfileNeed(
            id=change_set.user_id,
            revision=change_set.revision,
            news_revision=change_set.revision if is_refresh_reason(change_set) else 0,
            unchecked_revision=change_set.revision if has_user_correction(change_set) else 0,
            told_revision=change_set.revision
            if change_set.cause.type == REMEMBER or has_user_correction(change_set)
            else 0,
            epoch=change_set.epoch,
            first_noted=now,
            look_at=now + QUIET,
        )
        for change_set in change_sets
        if has_profile_content(change_set)
    ]


def decide_profile_change(
    known: Mapping[str, Profile], event: ProfileProposed
) -> tuple[ProfileChange, ...]:
    """The next version; nothing, where another has become it since the question was asked.

    Raises:
        InvalidEvent: it is of another user.
    """
    if event.profile.user_id != event.user_id:
        raise InvalidEvent("a profile belongs to another user than its event")
    standing = known.get(event.user_id)
    before = standing if standing is not None and standing.epoch == event.profile.epoch else None
    if event.profile.version != (before.version if before else 0) + 1:
        return ()
    return (ProfileChange(before=before, after=event.profile),)


async def read_current_profiles(
    store: ProfileStore, events: Iterable[Event]
) -> Mapping[str, Profile]:
    """The profiles that these events may take the place of."""
    users = {event.user_id for event in events if isinstance(event, ProfileProposed)}
    return await store.latest(users) if users else {}


class ProfileRefresher:
    """Looks for users whose profile is to be made anew, and asks the extractor for it.

    The question's id is derived from the version that stands and from what is
    to be taken account of, so that several processes ask the same one.
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
        """Look again and again, until cancelled."""
        await run_periodically(
            self.look,
            every=PROFILE_INTERVAL,
            log=_log,
            failure="could not look after profiles",
        )

    async def look(self) -> int:
        """Ask for the profiles that are due; how many these were."""
        needs = await self._needs.due(now=self._clock(), limit=NEEDS_PER_LOOK)
        if not needs:
            return 0
        states = await self._users.of({need.user_id for need in needs})
        return sum([await self._look_at(need, states[need.user_id]) for need in needs])

    async def _look_at(self, need: ProfileNeed, state: UserState) -> bool:
        now = self._clock()
        if need.epoch < state.epoch:
            await self._needs.met(need.user_id, revision=need.revision)
            return False
        if not state.settings.memory_enabled:
            await self._needs.later(need, look_at=now + LONGEST, asked=need.asked)
            return False
        found = (await self._profiles.latest([need.user_id])).get(need.user_id)
        standing = found if found is not None and found.epoch == state.epoch else None
        told = need.told_revision > (standing.revision if standing else 0)
        waits_until = find_earliest_refresh(standing, told=told, asked_at=need.asked_at)
        if waits_until is not None and now < waits_until:
            await self._needs.later(need, look_at=waits_until, asked=0)
            return False
        through = find_included_summary_time(standing)
        made = await self._summaries.made_since(need.user_id, through, now=now)
        summaries = [
            one for one in made if is_profile_summary(one) and is_summary_visible(one, state)
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
        await self._ask(need, standing, summaries, state)
        wait = min(FIRST_RETRY_DELAY * 2**need.asked, timedelta(days=1))
        await self._needs.later(need, look_at=now + wait, asked=need.asked + 1, asked_at=now)
        return True

    async def _ask(
        self,
        need: ProfileNeed,
        standing: Profile | None,
        summaries: Sequence[SessionSummary],
        state: UserState,
    ) -> None:
        memories = await self._memories_of(need.user_id, state.epoch)
        todos = await self._todos_of(need.user_id, state.epoch)
        await self._publisher.publish(
            EXTRACTIONS,
            [
                build_profile_request(
                    need,
                    standing,
                    summaries=summaries[-SUMMARIES:],
                    memories=memories,
                    todos=todos,
                    state=state,
                    now=self._clock(),
                )
            ],
        )

    async def _memories_of(self, user_id: str, epoch: int) -> list[Memory]:
        """Return memories of no project, for a profile goes with every conversation."""
        found: list[Memory] = []
        for namespace in await self._namespaces.of_user(user_id):
            found += await self._memories.latest(namespace, limit=MAXIMUM_NAMESPACE_MEMORIES)
            found += await self._memories.superseded(namespace, limit=MAXIMUM_SUPERSEDED_MEMORIES)
        return [
            memory for memory in found if memory.scope.project_id is None and memory.epoch >= epoch
        ]

    async def _todos_of(self, user_id: str, epoch: int) -> list[Todo]:
        """Return open and recently done todos of no project."""
        found = [
            *await self._todos.open_of([user_id]),
            *await self._todos.done_since(user_id, self._clock() - RECENTLY_DONE_PERIOD),
        ]
        return [
            memory for memory in found if memory.scope.project_id is None and memory.epoch >= epoch
        ]
