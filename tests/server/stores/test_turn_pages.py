"""Turns of everybody, page by page, as they are gone through for lost vectors."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role, Turn, turn_id
from palimpsest_server.stores.mongo import turn_pages
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.turn_pages import ListedTurnPages, MongoTurnPages
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.turns import TurnPlacement

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def turns(count: int) -> list[Turn]:
    return [
        Turn(
            id=turn_id("ada", "s", f"m{number}"),
            event_id=f"e{number}",
            user_id="ada",
            agent_id="dev",
            session_id="s",
            message_id=f"m{number}",
            role=Role.USER,
            text="tea",
            occurred_at=NOON,
            received_at=NOON,
            epoch=0,
            sequence=number + 1,
        )
        for number in range(count)
    ]


@pytest.fixture
async def kept(database: MongoDatabase) -> Sequence[Turn]:
    """Seven turns that became searchable, and one of which nobody knows yet."""
    store, all_of_them = MongoTurns(database), turns(8)
    await store.place([TurnPlacement(turn, accepted=False) for turn in all_of_them], now=NOON)
    searchable = all_of_them[:7]
    await store.mark([turn.id for turn in searchable], OutboxState.CONFIRMED, now=NOON)
    return searchable


@pytest.mark.parametrize("kind", [MongoTurnPages, ListedTurnPages])
async def test_a_round_meets_each_searchable_turn_once(
    database: MongoDatabase,
    kept: Sequence[Turn],
    kind: type[MongoTurnPages],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for size in ("TURNS_PER_PAGE", "LISTED_TURNS_PER_PAGE"):
        monkeypatch.setattr(turn_pages, size, 3)
    pages = kind(database)
    for _ in range(2):
        met: list[tuple[str, Scope]] = []
        after: str | None = None
        while True:
            page = await pages.confirmed(after=after)
            met += page.scopes.items()
            after = page.last
            if after is None:
                break
        assert dict(met) == {turn.id: turn.scope for turn in kept}
        assert len(met) == len(kept)


async def test_withheld_turns_are_missed_by_nobody(
    database: MongoDatabase, kept: Sequence[Turn]
) -> None:
    await MongoTurns(database).withhold([kept[0].id])
    found = await MongoTurnPages(database).by_ids([turn.id for turn in kept[:3]])
    assert {turn.id for turn in found} == {turn.id for turn in kept[1:3]}
