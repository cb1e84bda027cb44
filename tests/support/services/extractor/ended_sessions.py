"""Sessions that are said and over, as the extractor hears of them."""

from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.turn import Role
from palimpsest.model.window import WindowTrigger
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.services.extractor.world import World
from tests.support.windows import said, window

TALK = (
    "I live in Berlin and want to sail to Norway.",
    "Which boat do you have?",
    "I bought a small sailing boat last year.",
    "A good choice.",
)


def windowed(
    *texts: str, name: str = "w1", trigger: str = "session_end", context: int = 0
) -> ExtractionRequested:
    turns = [
        said(text, role=Role.AGENT if number % 2 else Role.USER)
        for number, text in enumerate(texts)
    ]
    made = window(*turns, name=name)
    moved = [
        turn.model_copy(update={"sequence": (turn.sequence or 0) + context}) for turn in made.fresh
    ]
    return made.model_copy(update={"trigger": WindowTrigger(trigger), "fresh": tuple(moved)})


async def happen(world: World, request: ExtractionRequested) -> None:
    """The turns are kept, the session knows, and the window comes in."""
    await world.turns.place(
        [TurnPlacement(turn, accepted=False) for turn in request.fresh], now=world.clock()
    )
    last = max(turn.sequence or 0 for turn in request.fresh)
    key = SessionKey(request.user_id, request.session_id or "")
    await world.sessions.advance([SessionProgress(key=key, last_sequence=last)])
    await world.intake.handle([request])


def proposed(world: World) -> list[SummaryProposed]:
    return [
        summary_proposed
        for summary_proposed in world.publisher.published
        if isinstance(summary_proposed, SummaryProposed)
    ]
