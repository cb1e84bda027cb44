"""Apply corrections: proposals of a window under a wrong name or time, by all that corrects them."""

from collections.abc import Iterator, Sequence

from palimpsest.model.turn import Role
from palimpsest_language.corrections.name_corrections import correct_names
from palimpsest_language.corrections.time_corrections import correct_times
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.proposals import Proposal


def apply_name_corrections(
    proposals: Sequence[Proposal], request: ExtractionRequest, before: Sequence[Proposal]
) -> list[Proposal]:
    """`before` was told in an earlier window."""
    found = list(proposals)
    for message, said_before in _fresh(request):
        found = correct_names(found, message, said_before, before=before)
    return found


def apply_time_corrections(
    proposals: Sequence[Proposal], request: ExtractionRequest, before: Sequence[Proposal]
) -> list[Proposal]:
    """`before` was told in an earlier window."""
    found = list(proposals)
    for message, said_before in _fresh(request):
        found = correct_times(
            found, message, said_before, before=before, time_zone=request.time_zone
        )
    return found


def _fresh(
    request: ExtractionRequest,
) -> Iterator[tuple[DialogueMessage, Sequence[DialogueMessage]]]:
    """Return what users said in this window, each with all that was said before it."""
    spoken = [each for each in request.messages if each.role is not Role.TOOL]
    for place, message in enumerate(spoken):
        if message.fresh and message.role is Role.USER:
            yield message, spoken[:place]
