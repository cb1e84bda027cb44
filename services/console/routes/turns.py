"""Turns: the message behind a citation, in its conversation."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import TurnDetail, TurnQuery
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.ranking.exclusion_reasons import explain_withdrawn_turn
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.turns import TurnReader
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen
from services.console.command_responses import NOT_FOUND_RESPONSE
from services.console.visible_archive import VisibleArchive

NEIGHBOURS = 3
"""The number of messages shown before the turn, and after it."""


class VisibleTurns:
    """Reads the turns that a scope can see: nothing erased, and nothing that was taken back."""

    def __init__(self, turns: TurnReader, archive: VisibleArchive, users: UserStates) -> None:
        self._turns = turns
        self._archive = archive
        self._users = users

    async def open(self, query: TurnQuery, turn_id: str) -> TurnDetail:
        """Return the turn of this id between its neighbours; everywhere, as its own agent sees it.

        Raises:
            RecordNotFound: no turn of this id can be seen from here.
        """
        scope = query.scope
        if query.everywhere:
            found = await self._turns.of_user_by_ids(query.user_id, [turn_id])
            turns = [turn for turn in found if is_seen(turn.agent_id, query.agent_id)]
            scope = turns[0].scope if turns else scope
        else:
            turns = await self._turns.by_ids(scope.visible(), [turn_id])
        turns = await self._shown(scope, turns)
        if not turns:
            raise RecordNotFound("no message of this id can be seen from here")
        (turn,) = turns
        if turn.sequence is None:
            return TurnDetail(turn=turn)
        first, last = max(1, turn.sequence - NEIGHBOURS), turn.sequence + NEIGHBOURS
        places = [(turn.session_id, at) for at in range(first, last + 1) if at != turn.sequence]
        around = await self._shown(scope, await self._turns.around(scope.visible(), places))
        around.sort(key=lambda one: one.sequence or 0)
        return TurnDetail(
            turn=turn,
            before=tuple(one for one in around if (one.sequence or 0) < turn.sequence),
            after=tuple(one for one in around if (one.sequence or 0) > turn.sequence),
        )

    async def select(
        self, scope: Scope, turns: Sequence[Turn], *, everywhere: bool = False
    ) -> list[Turn]:
        """Return those of these turns of a user that can be seen from a scope, or by its agent everywhere."""
        visible = set(scope.visible())
        seen = [
            turn
            for turn in turns
            if (is_seen(turn.agent_id, scope.agent_id) if everywhere else turn.scope in visible)
        ]
        return await self._shown(scope, seen)

    async def _shown(self, scope: Scope, turns: Sequence[Turn]) -> list[Turn]:
        if not turns:
            return []
        state = (await self._users.of([scope.user_id]))[scope.user_id]
        erased = await self._archive.erased(scope.user_id)
        return [
            turn
            for turn in turns
            if explain_withdrawn_turn(turn, state) is None and not erased.takes(turn)
        ]


def build_router(turns: VisibleTurns) -> APIRouter:
    router = APIRouter(prefix="/v1/turns", tags=["memories"])

    @router.get(
        "/{turn_id}",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def one(turn_id: Identifier, query: Annotated[TurnQuery, Query()]) -> TurnDetail:
        """Return the message of a citation or of a recall, with its neighbours."""
        return await turns.open(query, turn_id)

    return router
