"""A window as a provider sees it: numbered messages in the speakers' own words."""

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.turn import Turn
from palimpsest_language.addressees import map_agent_names
from palimpsest_language.dialogue import ExtractionRequest, number_messages


def list_window_turns(window: ExtractionRequested) -> tuple[Turn, ...]:
    """Return the turns of a window in the order of their numbers, from 1: context first, then fresh."""
    return (*window.context, *window.fresh)


def build_extraction_request(window: ExtractionRequested) -> ExtractionRequest:
    return ExtractionRequest(
        user_id=window.user_id,
        messages=number_messages(list_window_turns(window), first_fresh=len(window.context) + 1),
        participants=window.participants,
        agents=tuple(map_agent_names(list_window_turns(window), window.participants)),
        topic=window.topic,
        language=window.settings.language,
        time_zone=window.settings.time_zone,
    )
