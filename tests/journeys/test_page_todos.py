"""The page shows the todos of all places by one request."""

import re

import httpx
import pytest

from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]


async def test_todos_of_all_agents_and_projects_are_shown(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client:
        await client.add_todo("Water the fern", user_id="fay")
        await client.add_todo(
            "Prune the roses", user_id="fay", agent_id="gardener", project_id="greenhouse"
        )
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, follow_redirects=True, trust_env=False, timeout=60
    ) as http:
        form = (await http.get("/page/sign-in")).text
        token = re.search(r'name="csrf_token" value="([0-9a-f]+)"', form)
        assert token is not None
        await http.post("/page/sign-in", data={"csrf_token": token[1], "user_id": "fay"})
        shown = await http.get("/page/todos")
    assert shown.url.path == "/page/todos"
    assert all(words in shown.text for words in ("Water the fern", "Prune the roses"))
