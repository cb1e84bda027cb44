"""The transcript of a session for its summary: read when a model is asked, and never stored."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.model.session_summary import CHAT_SERVICE, summary_id
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.extraction.summaries.summariser import SessionTranscript
from palimpsest_server.stores.decided_erasures import ErasureStore
from palimpsest_server.stores.sessions import Session, SessionKey
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.user_states import UserStates

MAXIMUM_TURNS = 2_000
"""The most turns of one session; earlier turns are covered by the current summary."""


class SessionTurnReader(Protocol):
    async def stretch(self, session: SessionKey, *, after: int, limit: int) -> Sequence[Turn]: ...


class SessionLookup(Protocol):
    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]: ...


class TranscriptReader:
    def __init__(
        self,
        turns: SessionTurnReader,
        summaries: SummaryStore,
        erasures: ErasureStore,
        states: UserStates,
        sessions: SessionLookup | None = None,
    ) -> None:
        """Make a reader.

        Args:
            turns: the turns of all sessions.
            summaries: the current summaries.
            erasures: the decided erasures.
            states: the users' current states, not cached ones.
            sessions: the starts of sessions.
        """
        self._sessions = sessions
        self._turns = turns
        self._summaries = summaries
        self._erasures = erasures
        self._states = states

    async def read(self, asked: SummaryRequested) -> SessionTranscript:
        """Read the session as it is now, without turns that were erased or taken back.

        Turns of another project are left out, because the summary may be read outside of that
        project. Erasures are read before the state, and the state before the turns. An erasure that
        is known is therefore hidden by the state, or its turns are blank already.
        """
        erasures = await self._erasures.of_user(asked.user_id)
        state = (await self._states.of([asked.user_id]))[asked.user_id]
        own = summary_id(asked.user_id, asked.session_id)
        left_out = state.not_told.get(own, frozenset())
        turns = await self._turns.stretch(
            SessionKey(asked.user_id, asked.session_id),
            after=max(asked.through - MAXIMUM_TURNS, 0),
            limit=MAXIMUM_TURNS,
        )
        return SessionTranscript(
            turns=[
                turn
                for turn in turns
                if (turn.sequence or 0) <= asked.through
                and turn.epoch >= (asked.epoch or 0)
                and turn.id not in left_out | state.withheld
                and turn.project_id in (None, asked.project_id)
                and not state.is_going(turn.id, turn.scope)
            ],
            topic=await self._topic(SessionKey(asked.user_id, asked.session_id)),
            published=await self._published(own, asked, state),
            left_out=tuple(sorted(left_out)),
            aware_of=max((erasure.revision for erasure in erasures), default=0),
        )

    async def _topic(self, session: SessionKey) -> str | None:
        found = {} if self._sessions is None else await self._sessions.of([session])
        return found[session].topic if session in found else None

    async def _published(self, own: str, asked: SummaryRequested, state: UserState) -> str | None:
        """Return the summary that the chat service itself published, if there is one."""
        for standing in await self._summaries.of_users({asked.user_id: [own]}):
            is_theirs = standing.made_by == CHAT_SERVICE and not standing.failed
            if (
                is_theirs
                and standing.epoch >= (asked.epoch or 0)
                and is_summary_visible(standing, state)
            ):
                return standing.text
        return None
