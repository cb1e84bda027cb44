"""Events that have a session's open window extracted at once.

Another trigger is a value of `WindowTrigger` and a row of `TRIGGERS`, or a condition in `find_trigger`
if it depends on what the event holds. A window is also cut after so
many rounds (`domain.extraction_windows`), where a session ended (`plan_batch`), after silence
(`close_idle_sessions`) and on request (`extract_on_request`).
"""

from collections.abc import Mapping

from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.skills import SkillSucceeded
from palimpsest.model.window import WindowTrigger
from services.ingest.receive_events import ConversationEvent

TRIGGERS: Mapping[type[ConversationEvent], WindowTrigger] = {
    # What led to the success is understood while it is fresh.
    SkillSucceeded: WindowTrigger.SKILL,
    # A chat service sums up what it is about to drop from its own context.
    SummaryPublished: WindowTrigger.SUMMARY,
}


def find_trigger(event: ConversationEvent) -> WindowTrigger | None:
    """Return why this event closes the open window of its session; None where it does not."""
    return None if event.session_id is None else TRIGGERS.get(type(event))
