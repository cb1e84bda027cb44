"""Cards of memories: what a card shows of a memory, in a list or alone."""

from typing import Any

from starlette.responses import Response

from palimpsest.api.resources import CommandResult
from services.page.memories.validity import measure_validity
from services.page.visit import Visit


def build_card_context(visit: Visit) -> dict[str, Any]:
    """Return what the template of a card needs beside the memory."""
    return {"measure_validity": lambda memory: measure_validity(memory, visit.times.now)}


async def render_card(visit: Visit, memory_id: str, **context: Any) -> Response:
    """Render the card of one memory anew."""
    detail = await visit.client.get(memory_id, **visit.scope())
    return visit.render(
        "memories/one_card.html",
        memory=detail.memory,
        accesses=detail.accesses,
        **build_card_context(visit),
        **context,
    )


async def answer_with_card(
    visit: Visit, memory_id: str, result: CommandResult, done: str
) -> Response:
    """Answer a command: the card as it is now, and a toast that offers to undo."""
    toast = visit.word(done if result.applied else "memories.under_way")
    return await render_card(visit, memory_id, toast_text=toast, undo=result.change_set_id)
