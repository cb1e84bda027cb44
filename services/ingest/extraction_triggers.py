"""Events that have the open window of their session extracted at once.

Another trigger is a value of `WindowTrigger` and a row of `TRIGGERS`, or a condition in
`find_trigger` if it depends on the content of the event. A window is also cut after a number of
rounds (`domain.extraction_windows`), at a session's end (`plan_batch`), after silence
(`close_idle_sessions`) and on request (`extract_on_request`).
"""

from collections.abc import Mapping

from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.skills import SkillSucceeded
from palimpsest.model.window import WindowTrigger
from services.ingest.receive_events import ConversationEvent

TRIGGERS: Mapping[type[ConversationEvent], WindowTrigger] = {
    # The steps to the success are extracted while they are recent.
    SkillSucceeded: WindowTrigger.SKILL,
    # A chat service summarises messages that it is about to drop from its own context.
    SummaryPublished: WindowTrigger.SUMMARY,
}


def find_trigger(event: ConversationEvent) -> WindowTrigger | None:
    """Return the reason why this event closes the open window of its session; None if it does not."""
    return None if event.session_id is None else TRIGGERS.get(type(event))
