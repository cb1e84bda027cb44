"""Memories of texts that were said on days that follow each other."""

from datetime import datetime, timedelta

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.memory import Memory
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import STARTED, window

A_DAY = timedelta(days=1)


def _said(text: str, number: int, at: datetime) -> ExtractionRequested:
    asked = window(text, session=f"s{number}", name=f"w{number}")
    moments = {"occurred_at": at, "received_at": at}
    fresh = tuple(turn.model_copy(update=moments) for turn in asked.fresh)
    return asked.model_copy(update={**moments, "fresh": fresh})


async def known_after(*said: str, apart: timedelta = A_DAY) -> list[Memory]:
    """Return the memories of texts said one after another, each in a session of its own."""
    known = Overlay()
    for number, text in enumerate(said):
        asked = _said(text, number, STARTED + number * apart)
        answer = await LocalExtractor().extract(build_extraction_request(asked))
        for place, candidate in enumerate(
            propose_candidates(asked, answer, provider="local").event.candidates
        ):
            decide_candidate(
                known, candidate, received_at=asked.occurred_at, epoch=0, position=place
            )
    return [change.after for change in known.take_changes()]
