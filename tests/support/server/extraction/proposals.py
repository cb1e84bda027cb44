"""Proposals of the local extractor for a few texts."""

from datetime import UTC, datetime

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import Proposal

SAID = datetime(2026, 10, 6, 9, 0, tzinfo=UTC)


async def proposed(*texts: str) -> list[Proposal]:
    request = ExtractionRequest(
        user_id="lin",
        messages=tuple(
            DialogueMessage(
                number=number, role=Role.USER, speaker=None, text=text, fresh=True, occurred_at=SAID
            )
            for number, text in enumerate(texts, start=1)
        ),
        participants=(),
        language=None,
        time_zone="UTC",
    )
    return list((await LocalExtractor().extract(request)).proposals)
