"""Editing a memory in place. Of two who edit the same version, the second sees both versions."""

from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from palimpsest.client.errors import Conflict
from palimpsest.model.memory import Memory
from palimpsest.model.replaced_values import find_replaced_value
from services.page.memories.cards import answer_with_card
from services.page.page_routes import PageRoute, render_error
from services.page.visit import Visit


async def show_form(visit: Visit) -> Response:
    """Show the form with the memory as it is now."""
    memory = (await visit.client.get(visit.path["memory_id"], **visit.scope())).memory
    return visit.render(
        "memories/edit.html",
        memory=memory,
        fields=read_fields(memory, visit),
        is_value_asked=False,
    )


async def save(visit: Visit) -> Response:
    """Save what was changed, unless the memory is no longer the version that was edited."""
    memory = (await visit.client.get(visit.path["memory_id"], **visit.scope())).memory
    version = int(visit.form["version"])
    if memory.version != version:
        return _show_conflict(visit, memory)
    try:
        edits = find_edits(memory, visit)
    except ValueError:
        return render_error(visit, HTTPStatus.UNPROCESSABLE_ENTITY, "memories.unreadable")
    if not edits:
        return visit.render("memories/unchanged.html")
    if needs_value(memory, edits) and "value_asked" not in visit.form:
        fields = {**read_fields(memory, visit), **visit.form}
        return visit.render("memories/edit.html", memory=memory, fields=fields, is_value_asked=True)
    try:
        result = await visit.client.edit(memory.id, **visit.scope(), **edits, version=version)
    except Conflict as error:
        if error.reason != "changed_meanwhile":
            raise
        current = (await visit.client.get(memory.id, **visit.scope())).memory
        return _show_conflict(visit, current)
    return await answer_with_card(visit, memory.id, result, "memories.saved")


def read_fields(memory: Memory, visit: Visit) -> dict[str, str]:
    """Return the values of the form's fields for a memory."""
    until = memory.valid_until
    return {
        "content": memory.content,
        "kind": memory.kind.value,
        "importance": str(round(memory.importance * 100)),
        "tags": ", ".join(memory.tags),
        "value": memory.value or "",
        "valid_from": visit.times.field(memory.valid_from),
        "valid_until": visit.times.field(until) if until else "",
    }


def find_edits(memory: Memory, visit: Visit) -> dict[str, Any]:
    """Return the fields that the form has otherwise than the memory; raises ValueError."""
    former, form = read_fields(memory, visit), visit.form
    changed = {name for name in former if name in form and _tidy(form[name]) != _tidy(former[name])}
    edits: dict[str, Any] = {name: form[name].strip() for name in changed & {"content", "kind"}}
    if "value" in changed:
        edits["value"] = form["value"].strip() or None
    elif "content" in changed and memory.value and _keeps_value(memory.value, visit):
        # Said outright: else new words may empty it.
        edits["value"] = memory.value
    if "importance" in changed:
        edits["importance"] = int(form["importance"]) / 100
    if "tags" in changed:
        edits["tags"] = split_tags(form["tags"])
    for name in changed & {"valid_from", "valid_until"}:
        written = form[name]
        edits[name] = visit.times.parse_field(written) if written else None
    return edits


def needs_value(memory: Memory, edits: dict[str, Any]) -> bool:
    """Return whether the new words say the memory's value no more, and no other in its place."""
    if memory.value is None or "content" not in edits or "value" in edits:
        return False
    return find_replaced_value(memory.content, memory.value, edits["content"]) is None


def _keeps_value(value: str, visit: Visit) -> bool:
    """Return whether the new words hold the value, or the person wants it beside them."""
    is_said = value.casefold() in visit.form["content"].casefold()
    return "value" in visit.form and (is_said or "value_asked" in visit.form)


def split_tags(written: str) -> list[str]:
    """Split tags at commas of either language."""
    parts = written.replace("，", ",").split(",")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _tidy(written: str) -> str:
    return written.replace("\r\n", "\n").strip()


def _show_conflict(visit: Visit, current: Memory) -> Response:
    mine = {**read_fields(current, visit), **{name: visit.form[name] for name in visit.form}}
    return visit.render("memories/conflict.html", memory=current, mine=mine, status=409)


ROUTES = (
    PageRoute("/memories/{memory_id:path}/edit", show_form),
    PageRoute("/memories/{memory_id:path}/edit", save, "POST"),
)
