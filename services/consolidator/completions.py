"""What is said to be done: kept when it comes, and read for what may have been to be done before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from palimpsest.contracts.answers import CandidatesProposed
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.writes import TurnStored
from palimpsest.domain.clock import Clock
from palimpsest.domain.kinds import Kind
from palimpsest.domain.todos.settling import SaidDone, said_done
from palimpsest.domain.todos.todo import Todo
from palimpsest.domain.user import UserSettings
from palimpsest.stores.completions import CompletionStore
from palimpsest.stores.todos import TodoStore
from services.consolidator.bringing import candidates_of


class Completions:
    def __init__(self, completions: CompletionStore, todos: TodoStore, *, clock: Clock) -> None:
        self._completions = completions
        self._todos = todos
        self._clock = clock

    async def note(self, events: Sequence[Event]) -> None:
        """Before anything is decided, so that whoever comes back to it finds it."""
        now = self._clock()
        await self._completions.write([one for event in events for one in said_in(event, now)])
        withheld = (event.turn for event in events if isinstance(event, TurnStored))
        await self._completions.withhold([turn.id for turn in withheld if turn.withheld])

    async def before(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        epochs: Mapping[str, int],
    ) -> tuple[list[SaidDone], list[Todo]]:
        """What was heard before that may close what these events tell of, and todos beside it."""
        now = self._clock()
        # What these events say themselves is heard when each is decided.
        own = {one.id: one for event in events for one in said_in(event, now)}
        since = dict[str, datetime]()
        for user_id, moment in _moments(own.values(), events, settings):
            since[user_id] = min(moment, since.get(user_id, moment))
        if not since:
            return [], []
        heard = [
            one
            for one in await self._completions.since(since)
            if one.id not in own and one.epoch >= epochs.get(one.user_id, 0)
        ]
        ids: dict[str, set[str]] = {}
        for one in heard:
            ids.setdefault(one.user_id, set()).add(one.id)
        speaking = {one.user_id for one in own.values()}
        concerned = [
            *await self._todos.open_of(speaking | ids.keys()),
            *await self._todos.closed_by(ids),
        ]
        return heard, concerned


def said_in(event: Event, now: datetime) -> list[SaidDone]:
    if not isinstance(event, CandidatesProposed) or not event.completions:
        return []
    return said_done(event.completions, event.scope, epoch=event.epoch or 0, now=now)


def _moments(
    said: Iterable[SaidDone], events: Sequence[Event], settings: Mapping[str, UserSettings]
) -> Iterator[tuple[str, datetime]]:
    """When each user said that something is done, and since when there is something to be done."""
    for one in said:
        yield one.user_id, one.completion.said_at
    for event in events:
        for candidate in candidates_of(event, settings[event.user_id]):
            if candidate.kind is Kind.ACTION_ITEM:
                yield event.user_id, candidate.valid_from
