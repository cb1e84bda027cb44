"""What of a window was told under a wrong name, or with a wrong time, by all that sets it right."""

from collections.abc import Iterator, Sequence

from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import ExtractionRequest, Message
from palimpsest.providers.extraction.proposals_found import Proposal
from palimpsest.providers.extraction.rules.renaming import renamed
from palimpsest.providers.extraction.rules.retiming import retimed


def rightly_named(
    proposals: Sequence[Proposal], request: ExtractionRequest, before: Sequence[Proposal]
) -> list[Proposal]:
    """`before` was told in an earlier window."""
    found = list(proposals)
    for message, said_before in _fresh(request):
        found = renamed(found, message, said_before, before=before)
    return found


def rightly_timed(
    proposals: Sequence[Proposal], request: ExtractionRequest, before: Sequence[Proposal]
) -> list[Proposal]:
    """`before` was told in an earlier window."""
    found = list(proposals)
    for message, said_before in _fresh(request):
        found = retimed(found, message, said_before, before=before, time_zone=request.time_zone)
    return found


def _fresh(request: ExtractionRequest) -> Iterator[tuple[Message, Sequence[Message]]]:
    """What users said in this window, each with all that was said before it."""
    spoken = [each for each in request.messages if each.role is not Role.TOOL]
    for place, message in enumerate(spoken):
        if message.fresh and message.role is Role.USER:
            yield message, spoken[:place]
