"""Plans, habits and what calls them off, to decide about."""

from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day

WEEKLY = {"time": {"recurrence": "FREQ=WEEKLY"}}
TUCSON = "The user is flying to Tucson on Tuesday"
AGAIN = "The user is flying to Tucson after all"
TUCSON_IS_OFF = "The user cancelled the Tucson trip"
NO_FLIGHT = "The user's Tucson flight got cancelled"
CHOIR = "The user has choir every Thursday"
YUNNAN = "用户打算去云南玩"
SURGERY = "老伴儿的手术定在12月8号"


def planned(content: str, *, on: int = 0, at: int = 9, **fields: Any) -> Candidate:
    time = {"words": "then", "starts_at": day(at).isoformat(), "ends_at": day(at + 1).isoformat()}
    return candidate(content, on=on, kind=Kind.EVENT, data={"time": time}, **fields)


def weekly(content: str, **fields: Any) -> Candidate:
    return candidate(content, data=WEEKLY, **fields)


def meant(content: str, **fields: Any) -> Candidate:
    return candidate(content, kind=Kind.GOAL, **fields)


def off_on(number: int) -> Candidate:
    return candidate(TUCSON_IS_OFF, on=number)


def known_after(*candidates: Candidate) -> dict[str, Memory]:
    known = Overlay()
    for one in candidates:
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
    return {change.after.content: change.after for change in known.take_changes()}
