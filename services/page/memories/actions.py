"""Actions on one memory or on many: pin, forget, restore, confirm, reject."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.responses import Response

from palimpsest.api.resources import CommandResult
from palimpsest.client import PalimpsestClient
from services.page.memories.cards import answer_with_card, render_card
from services.page.page_routes import PageRoute
from services.page.visit import Visit

Action = Callable[..., Awaitable[CommandResult]]

ACTIONS: Mapping[str, tuple[Action, str]] = {
    "pin": (PalimpsestClient.pin, "memories.pinned_now"),
    "unpin": (PalimpsestClient.unpin, "memories.unpinned"),
    "confirm": (PalimpsestClient.confirm, "memories.confirmed"),
    "reject": (PalimpsestClient.reject, "memories.rejected"),
    "forget": (PalimpsestClient.forget, "memories.forgotten"),
    "restore": (PalimpsestClient.restore, "memories.restored"),
}
"""Calls of the client by name, and the words when one is done."""

MAXIMUM_CHOSEN = 100


async def act(visit: Visit) -> Response:
    """Do one thing with one memory, and show its card as it is then."""
    action, done = ACTIONS[_read_action(visit)]
    memory_id = visit.path["memory_id"]
    result = await action(visit.client, memory_id, **visit.scope())
    return await answer_with_card(visit, memory_id, result, done)


async def show_card(visit: Visit) -> Response:
    """Show one card: after a change elsewhere, or as a new one at the top of the list."""
    return await render_card(visit, visit.path["memory_id"], is_new="new" in visit.query)


async def act_on_many(visit: Visit) -> Response:
    """Do one thing with all memories that were chosen; each is refused or done by itself."""
    name = _read_action(visit)
    by_place: dict[tuple[str, str], list[str]] = defaultdict(list)
    for chosen in visit.form.getlist("chosen")[:MAXIMUM_CHOSEN]:
        fields = {key: values[0] for key, values in parse_qs(chosen).items()}
        place = fields.get("agent_id", ""), fields.get("project_id", "")
        by_place[place].append(fields["id"])
    answers = await asyncio.gather(
        *(
            visit.client.bulk(
                name,
                *ids,
                user_id=visit.session.user_id,
                agent_id=visit.session.agent_id or agent_id or None,
                project_id=project_id or None,
            )
            for (agent_id, project_id), ids in by_place.items()
        )
    )
    items = [item for answer in answers for item in answer.results]
    done = [item for item in items if item.problem is None]
    key = "memories.many_done" if len(done) == len(items) else "memories.many_partly"
    text = visit.word(key, done=len(done), all=len(items))
    # Each card is shown anew by the stream of changes.
    return visit.render("toast.html", text=text)


def _read_action(visit: Visit) -> str:
    name = visit.form.get("action", "")
    if name not in ACTIONS:
        raise HTTPException(400)
    return name


ROUTES = (
    PageRoute("/memories/chosen", act_on_many, "POST"),
    PageRoute("/memories/{memory_id:path}/card", show_card),
    PageRoute("/memories/{memory_id:path}/act", act, "POST"),
)
