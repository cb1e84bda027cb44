"""Profiles: whose are to be made anew, when the extractor is asked, and what comes of its answer."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.contracts.answers import ProfileProposed
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import EXTRACTIONS
from palimpsest.delivery.looking import look_again_and_again
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.change_set import ChangeSet, ProfileChange
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.memory import Memory
from palimpsest.domain.profiles.due import (
    LONGEST,
    QUIET,
    REMEMBER,
    concerns_profile,
    goes_into_it,
    is_due,
    is_news,
    is_set_right,
    soonest,
)
from palimpsest.domain.profiles.profile import Profile
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.summaries.telling import may_be_told
from palimpsest.domain.todos.todo import Todo
from palimpsest.domain.user import UserState
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from palimpsest.stores.profiles import ProfileNeed, ProfileNeeds, ProfileStore
from palimpsest.stores.summaries import SummaryStore
from palimpsest.stores.todos import TodoStore
from palimpsest.stores.users import UserStates
from services.consolidator.profile_questions import (
    CHANGES,
    DONE_LATELY,
    SUMMARIES,
    profile_requested,
    summed_up_through,
)

INTERVAL = timedelta(seconds=3)
LOOKED_AT = 16

ASK_AGAIN = timedelta(minutes=10)
"""Where no answer came, and twice as long each time, up to a day."""

MEMORIES_OF_A_NAMESPACE = 1_000
"""The latest that are active."""
SUPERSEDED = 8 * CHANGES
"""For the changes among them: some are of projects, and some gave way to what is gone as well."""

_log = structlog.get_logger("palimpsest.consolidator")


def needs_of(change_sets: Iterable[ChangeSet], now: datetime) -> list[ProfileNeed]:
    """What these change sets bring that profiles do not know."""
    return [
        ProfileNeed(
            id=one.user_id,
            revision=one.revision,
            news_revision=one.revision if is_news(one) else 0,
            unchecked_revision=one.revision if is_set_right(one) else 0,
            told_revision=one.revision if one.cause.type == REMEMBER or is_set_right(one) else 0,
            epoch=one.epoch,
            first_noted=now,
            look_at=now + QUIET,
        )
        for one in change_sets
        if concerns_profile(one)
    ]


def described(known: Mapping[str, Profile], event: ProfileProposed) -> tuple[ProfileChange, ...]:
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


async def standing_profiles(store: ProfileStore, events: Iterable[Event]) -> Mapping[str, Profile]:
    """The profiles that these events may take the place of."""
    users = {event.user_id for event in events if isinstance(event, ProfileProposed)}
    return await store.latest(users) if users else {}


class Describing:
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
        await look_again_and_again(
            self.look,
            every=INTERVAL,
            failed=lambda words: _log.warning("could not look after profiles", error=words),
        )

    async def look(self) -> int:
        """Ask for the profiles that are due; how many these were."""
        needs = await self._needs.due(now=self._clock(), limit=LOOKED_AT)
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
        waits_until = soonest(standing, told=told, asked_at=need.asked_at)
        if waits_until is not None and now < waits_until:
            await self._needs.later(need, look_at=waits_until, asked=0)
            return False
        through = summed_up_through(standing)
        made = await self._summaries.made_since(need.user_id, through, now=now)
        summaries = [one for one in made if goes_into_it(one) and may_be_told(one, state)]
        news = need.news_revision > (standing.revision if standing else 0)
        if not is_due(
            standing, summaries=len(summaries), news=news, first_noted=need.first_noted, now=now
        ):
            since = need.first_noted if standing is None else standing.made_at
            await self._needs.later(need, look_at=max(since + LONGEST, now + ASK_AGAIN), asked=0)
            return False
        await self._ask(need, standing, summaries, state)
        wait = min(ASK_AGAIN * 2**need.asked, timedelta(days=1))
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
                profile_requested(
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
        """Those of no project; a profile goes with every conversation, wherever it is held."""
        found: list[Memory] = []
        for namespace in await self._namespaces.of_user(user_id):
            found += await self._memories.latest(namespace, limit=MEMORIES_OF_A_NAMESPACE)
            found += await self._memories.superseded(namespace, limit=SUPERSEDED)
        return [one for one in found if one.scope.project_id is None and one.epoch >= epoch]

    async def _todos_of(self, user_id: str, epoch: int) -> list[Todo]:
        """What is to be done, and what was done lately; of no project."""
        found = [
            *await self._todos.open_of([user_id]),
            *await self._todos.done_since(user_id, self._clock() - DONE_LATELY),
        ]
        return [one for one in found if one.scope.project_id is None and one.epoch >= epoch]
