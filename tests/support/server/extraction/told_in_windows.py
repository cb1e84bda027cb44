"""Memories after a conversation of which the extractor sees a window at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.memory import Memory
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserSettings
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import said, window

MONDAY = datetime(2026, 11, 23, 2, 0, tzinfo=UTC)
"""At ten in the morning, in Shanghai."""


async def known_after_windows(*windows: Sequence[str]) -> list[Memory]:
    """Each window of one session has all that was said before as its context.

    What begins with “A:” an agent said.
    """
    known, before = Overlay(), list[Turn]()
    for number, texts in enumerate(windows):
        asked = _window(number, before, [_turn(text) for text in texts])
        answer = await LocalExtractor().extract(build_extraction_request(asked))
        for place, candidate in enumerate(
            propose_candidates(asked, answer, provider="local").event.candidates
        ):
            decide_candidate(
                known, candidate, received_at=asked.occurred_at, epoch=0, position=place
            )
        before += [_turn(text) for text in texts]
    return [change.after for change in known.take_changes()]


def _turn(text: str) -> Turn:
    spoken = text.removeprefix("A:")
    return said(spoken, role=Role.USER if spoken == text else Role.AGENT)


def _window(number: int, before: Sequence[Turn], fresh: Sequence[Turn]) -> ExtractionRequested:
    settings = UserSettings(time_zone="Asia/Shanghai")
    asked = window(*fresh, context=before, settings=settings)
    at = MONDAY + timedelta(minutes=len(before) + len(fresh))
    return asked.model_copy(
        update={
            "event_id": f"{asked.event_id}-{number}",
            "window_id": f"{asked.window_id}-{number}",
            "occurred_at": at,
            "received_at": at,
            "context": _at_their_minutes(asked.context, 0),
            "fresh": _at_their_minutes(asked.fresh, len(before)),
        }
    )


def _at_their_minutes(turns: Sequence[Turn], first: int) -> tuple[Turn, ...]:
    moments = [MONDAY + timedelta(minutes=first + place) for place, _ in enumerate(turns)]
    return tuple(
        turn.model_copy(update={"occurred_at": at, "received_at": at})
        for turn, at in zip(turns, moments, strict=True)
    )
