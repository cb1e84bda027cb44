"""Withholds turns that a message asks not to remember."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from palimpsest.events.envelope import Event
from palimpsest.events.writes import TurnStored, build_turn_stored
from palimpsest.model.turn import Turn
from palimpsest_language.off_the_record.withheld_turns import (
    MOST_MESSAGES_BETWEEN,
    asks_about_other_turns,
    find_disowned_topic,
    find_far_reaching_topic,
    mark_turns_on_topic,
    mark_withheld_turns,
)
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnStore
from services.ingest.concurrency import await_all


@dataclass(frozen=True)
class _Stretch:
    """The turns of a session to check: some before the batch, and those in it."""

    key: SessionKey
    after: int
    last: int


class TurnWithholder:
    def __init__(self, turns: TurnStore) -> None:
        self._turns = turns

    async def among(
        self, said: Sequence[Turn], sessions: Mapping[SessionKey, Session]
    ) -> Sequence[Turn]:
        """Return the turns to withhold because of these turns, marked and stored as withheld.

        Without a request, which is the usual case, nothing is read.
        """
        stretches = [
            stretch
            for key, turns in _by_session(said).items()
            if (stretch := _stretch(key, turns, sessions[key])) is not None
        ]
        read = await await_all(
            *(
                self._turns.stretch(
                    stretch.key, after=stretch.after, limit=stretch.last - stretch.after
                )
                for stretch in stretches
            )
        )
        near = [turn for turns in read for turn in mark_withheld_turns(turns)]
        far = [turn for asking in said for turn in await self._find_in_earlier_sessions(asking)]
        withheld = list({turn.id: turn for turn in (*near, *far)}.values())
        await self._turns.withhold([turn.id for turn in withheld])
        return withheld

    async def _find_in_earlier_sessions(self, asking: Turn) -> list[Turn]:
        """Return the user's earlier turns with this agent on a topic that the turn takes back.

        The turn asks to forget the whole topic, or says that somebody else wrote about it.
        """
        topic = find_far_reaching_topic(asking) or find_disowned_topic(asking)
        if topic is None:
            return []
        turns = await self._turns.of_agent(asking.user_id, asking.agent_id)
        before = (turn for turn in turns if _is_before(turn, asking))
        sessions = [list(told) for _, told in groupby(before, key=lambda turn: turn.session_id)]
        return [
            turn
            async for session in iterate_cooperatively(sessions)
            for turn in mark_turns_on_topic(session, topic)
        ]


def find_withholding_requests(said: Iterable[Turn]) -> list[SessionProgress]:
    """Return the sessions in which a turn asks to forget others: later turns may have to be checked."""
    return [
        SessionProgress(key=SessionKey.of(turn), asked_at=turn.sequence or 0)
        for turn in said
        if asks_about_other_turns(turn)
    ]


def apply_withholding(candidates: Sequence[Event], withheld: Sequence[Turn]) -> list[Event]:
    """Return the events for a batch with these turns withheld; earlier withheld turns are added again."""
    marked = {turn.id: build_turn_stored(turn) for turn in withheld}
    events = [
        marked.pop(event.turn.id, event) if isinstance(event, TurnStored) else event
        for event in candidates
    ]
    return [*events, *marked.values()]


def _is_before(turn: Turn, asking: Turn) -> bool:
    if turn.session_id == asking.session_id:
        return (turn.sequence or 0) < (asking.sequence or 0)
    return turn.occurred_at <= asking.occurred_at


def _by_session(said: Iterable[Turn]) -> dict[SessionKey, list[Turn]]:
    sessions: dict[SessionKey, list[Turn]] = {}
    for turn in said:
        sessions.setdefault(SessionKey.of(turn), []).append(turn)
    return sessions


def _stretch(key: SessionKey, said: Sequence[Turn], session: Session) -> _Stretch | None:
    numbers = [turn.sequence or 0 for turn in said]
    after = max(min(numbers) - 1 - MOST_MESSAGES_BETWEEN, 0)
    asked_lately = session.asked_at > after
    if not asked_lately and not any(map(asks_about_other_turns, said)):
        return None
    return _Stretch(key, after, max(numbers))
