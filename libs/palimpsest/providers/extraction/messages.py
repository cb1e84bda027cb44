"""What a provider is shown of a window: numbered messages in the speakers' own words."""

from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.domain.turn import Turn
from palimpsest.providers.extraction.concerning import agents_of
from palimpsest.providers.extraction.dialogue import ExtractionRequest, numbered


def window_turns(window: ExtractionRequested) -> tuple[Turn, ...]:
    """The turns of a window as they are numbered, from 1: context first, then fresh."""
    return (*window.context, *window.fresh)


def request_of(window: ExtractionRequested) -> ExtractionRequest:
    return ExtractionRequest(
        user_id=window.user_id,
        messages=numbered(window_turns(window), first_fresh=len(window.context) + 1),
        participants=window.participants,
        agents=tuple(agents_of(window_turns(window), window.participants)),
        language=window.settings.language,
        time_zone=window.settings.time_zone,
    )
