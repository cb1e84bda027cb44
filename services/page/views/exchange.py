"""Export and import: all there is of the user as lines of JSON, and memories of such lines taken in."""

from collections.abc import AsyncIterator

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from palimpsest.api.exports import ExportEnded, ExportLine
from services.page.import_lines import read_lines
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show both ways."""
    return visit.render("exchange.html")


async def export(visit: Visit) -> Response:
    """Stream the export of the user, as a file."""
    lines = visit.client.export(visit.session.user_id)
    # Asked for before anything is answered: a refusal is a page of its own then.
    first = await anext(lines)
    name = f"palimpsest-{visit.times.now:%Y-%m-%d}.jsonl"
    return StreamingResponse(
        _write(first, lines),
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _write(first: ExportLine, others: AsyncIterator[ExportLine]) -> AsyncIterator[str]:
    yield f"{first.model_dump_json()}\n"
    async for line in others:
        yield f"{line.model_dump_json()}\n"


async def take_in(visit: Visit) -> Response:
    """Take in the memories of some lines; a dry run says how many there are.

    A file is sent in parts, so that its progress is seen and no request is too large.
    """
    read = read_lines(visit.form.get("lines", ""))
    if not read.counts and not read.unreadable:
        raise HTTPException(422)
    taken = known = 0
    if not visit.form.get("dry_run"):
        for batch in read.batches:
            result = await visit.client.import_memories(batch, user_id=visit.session.user_id)
            taken += result.taken or 0
            known += result.known or 0
    counts = {name: count for name, count in read.counts.items() if name != ENDING}
    return JSONResponse(
        {"counts": counts, "unreadable": read.unreadable, "taken": taken, "known": known}
    )


ENDING = ExportEnded.model_fields["record"].default

ROUTES = (
    PageRoute("/exchange", show),
    PageRoute("/exchange/export", export),
    PageRoute("/exchange/import", take_in, "POST"),
)
