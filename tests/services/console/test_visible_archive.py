"""Erased records are in no archive from the moment at which that was decided."""

from collections.abc import Iterable, Mapping

import pytest

from palimpsest.events.conversations import RememberRequested
from palimpsest.model.erasure import Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import memory_id
from palimpsest.model.user import UserState
from palimpsest_server.stores.collections import STAGES
from palimpsest_server.stores.decided_erasures import DecidedErasure
from services.console.visible_archive import VisibleArchive
from tests.support.services.console.routes.joined import joined
from tests.support.turns import MORNING, turn

HEARD = turn(1, user_id="ann", project_id="alpha")
OTHER = turn(2, user_id="ann")
ASKED = RememberRequested(
    event_id="e1", user_id="ann", content="likes tea", occurred_at=MORNING, epoch=0
)


class Users:
    """Users of whom this process has heard of no erasure yet."""

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return {user_id: UserState() for user_id in user_ids}


@pytest.mark.parametrize(
    ("erasure", "left"),
    [
        (None, ["m1", "m2", "e1"]),
        (Erasure(epoch=0, turn_ids=(HEARD.id,)), ["m2", "e1"]),
        (Erasure(epoch=0, project_id="alpha"), ["m2", "e1"]),
        (Erasure(epoch=0, request_ids=("e1",)), ["m1", "m2"]),
        (
            Erasure(epoch=0, memory_ids=(memory_id("ann", derive_id("candidate", "e1", "0")),)),
            ["m1", "m2"],
        ),
        (Erasure(epoch=1, everything=True), []),
    ],
)
async def test_what_is_going_is_not_shown(erasure: Erasure | None, left: list[str]) -> None:
    world = joined()
    world.said.kept_turns += [HEARD, OTHER]
    world.said.kept_requests.append(ASKED)
    if erasure is not None:
        await world.erasures.put([decided(erasure)])
    archive = VisibleArchive(world.said, Users(), world.erasures)
    found = [one.message_id async for one in archive.turns("ann")]
    found += [identity async for identity, _ in archive.requests("ann")]
    assert found == left


async def test_a_project_that_begins_anew_is_shown_once_all_have_obeyed() -> None:
    world = joined()
    world.said.kept_turns.append(HEARD)
    await world.erasures.put([decided(Erasure(epoch=0, project_id="alpha"))])
    for stage in STAGES:
        await world.erasures.mark_completed("change", stage)
    archive = VisibleArchive(world.said, Users(), world.erasures)
    assert [one.message_id async for one in archive.turns("ann")] == ["m1"]


def decided(erasure: Erasure) -> DecidedErasure:
    return DecidedErasure(
        id="change",
        user_id="ann",
        revision=3,
        decided_at=MORNING,
        known_since=MORNING,
        erasure=erasure,
    )
