"""An archive of somebody who said and did something, by the real writer."""

from datetime import timedelta
from pathlib import Path

from palimpsest.api.exports import EXPORT_LINE, ExportLine
from palimpsest.api.resources import MemoryList
from palimpsest.model.memory import Memory
from services.host.exports.write_archive import ArchiveSpool
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World
from tests.support.turns import turn

ANN, BO = {"user_id": "ann"}, {"user_id": "bo"}
EVERY_STATUS = ["active", "superseded", "archived", "forgotten", "rejected", "pending"]


async def exported(world: World, user_id: str) -> list[ExportLine]:
    async with world.http as http:
        answer = await http.get("/v1/export", params={"user_id": user_id})
    return [EXPORT_LINE.validate_json(line) for line in answer.text.splitlines()]


async def archive_of(world: World, user_id: str, directory: Path) -> Path:
    out = directory / f"{user_id}.zip"
    with ArchiveSpool(directory / f"{user_id}.spool") as spool:
        for line in await exported(world, user_id):
            spool.add(line)
        spool.write(out)
    return out


async def populated() -> World:
    """Return a world in which Ann said and did something, by the real writer."""
    world = joined()
    async with world.http as http:

        async def add(content: str, **fields: object) -> str:
            world.clock.advance(timedelta(minutes=1))
            body = {"content": content, **fields}
            answer = await http.post("/v1/memories", params=ANN, json=body)
            assert answer.status_code == 200, answer.text
            return str(answer.json()["memory"]["id"])

        city = {"subject": "user", "attribute": "city"}
        await add("lives in Boston", **city, value="Boston")
        await add("住在丹佛", **city, value="Denver")
        forgotten = await add("likes milk")
        await http.post(f"/v1/memories/{forgotten}/forget", params=ANN, json={})
        await add("likes tea", kind="preference", tags=["tea"], data={"cup": "blue"})
        done = await add("buy tea", kind="action_item")
        await http.post(f"/v1/todos/{done}/complete", params=ANN)
        await add("buy milk", kind="action_item", due_at="2026-05-01T09:00:00Z")
    said = [turn(at, text=f"message {at}", user_id="ann", session_id="s") for at in (2, 1, 3)]
    other = [turn(1, text="# not a heading", user_id="ann", session_id="a")]
    world.said.kept_turns += [*said, *other]
    return world


async def seen(world: World, user_id: str) -> dict[str, Memory]:
    async with world.http as http:
        answer = await http.get("/v1/memories", params={"user_id": user_id, "status": EVERY_STATUS})
    found = MemoryList.model_validate_json(answer.content)
    return {memory.content: memory for memory in found.memories}
