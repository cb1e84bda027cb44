"""Paths of single records hold ids of any signs: those of the routes, and those that templates write."""

import re
from itertools import chain
from pathlib import Path

import pytest
from starlette.routing import Match, Route

from services.page.app import load_view_routes
from services.page.page_routes import PageRoute
from services.page.view_table import VIEWS
from tests.support.paths import ROOT

IDS = ("小安/一", "a b", "\"a\" 'b'", "a/b/c", "🐦", "50%41, ü=é&x#y?", "a//b", "remove", "list")

RECORD_ROUTES = [
    route
    for route in chain.from_iterable(load_view_routes(view.name) for view in VIEWS)
    if re.search(r"\{\w+_id", route.path)
]
TEMPLATES = sorted((ROOT / "services/page/templates").rglob("*.html"))

_BARE_ID = re.compile(r"""(?:/page/\w+/\{\{ [\w.]+\.id \}\}|/page/\w+/' ~ [\w.]+\.id ~)""")


@pytest.mark.parametrize("route", RECORD_ROUTES, ids=lambda route: f"{route.method} {route.path}")
@pytest.mark.parametrize("record_id", IDS)
async def test_a_route_takes_an_id_of_any_signs(route: PageRoute, record_id: str) -> None:
    async def endpoint(_: object) -> None: ...

    path = re.sub(r"\{\w+_id[^}]*\}", lambda _: record_id, route.path)
    scope = {"type": "http", "method": route.method, "path": path, "root_path": ""}
    match, found = Route(route.path, endpoint, methods=[route.method]).matches(scope)
    assert match is Match.FULL
    assert list(found["path_params"].values()) == [record_id]


def test_there_are_routes_of_questions_todos_webhooks_keys_and_memories() -> None:
    assert {route.path.split("/")[1] for route in RECORD_ROUTES} == {
        "questions",
        "todos",
        "webhooks",
        "keys",
        "memories",
    }


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_encodes_the_ids_in_its_paths(template: Path) -> None:
    assert not _BARE_ID.findall(template.read_text(encoding="utf-8"))
