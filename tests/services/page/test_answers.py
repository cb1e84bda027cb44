"""Answers of the page to those who are not signed in: strict headers, and no way past the sign-in."""

from itertools import chain

import pytest

from services.page.app import load_view_routes
from services.page.preferences import choose_way_back
from services.page.view_table import VIEWS
from tests.support.services.page_visitor import PageVisitor

STRICT = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize("path", ["/", "/page/sign-in", "/page/nowhere", "/page/memories"])
async def test_every_answer_bears_strict_headers(stranger: PageVisitor, path: str) -> None:
    headers = (await stranger.get(path)).headers
    assert {name: headers[name] for name in STRICT} == STRICT
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert not {"unsafe", "http", "*", "data:"} & set(" ".join(policy.values()).split())
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


async def test_no_view_is_shown_without_a_session(stranger: PageVisitor) -> None:
    routes = list(chain.from_iterable(load_view_routes(view.name) for view in VIEWS))
    assert routes
    for route in routes:
        assert not route.is_open, route.path
        token = await stranger.token()
        answer = await stranger.http.request(
            route.method, f"/page{route.path}", headers={"x-csrf-token": token}
        )
        assert (answer.status_code, answer.headers["location"]) == (303, "/page/sign-in")


async def test_a_fragment_without_a_session_is_a_401(stranger: PageVisitor) -> None:
    assert (await stranger.get("/page/memories", headers={"x-fragment": "1"})).status_code == 401


async def test_language_and_theme_are_remembered(stranger: PageVisitor) -> None:
    await stranger.post("/page/preferences", language="zh", theme="dark", back="/page/sign-in")
    shown = (await stranger.get("/page/sign-in")).text
    assert '<html lang="zh-CN" data-theme="dark">' in shown
    await stranger.post("/page/preferences", theme="<script>")
    assert 'data-theme="dark"' in (await stranger.get("/page/sign-in")).text


@pytest.mark.parametrize(
    "path", [None, "", "https://elsewhere.example/", "//elsewhere.example/page/", "/v1/memories"]
)
def test_the_way_back_leads_nowhere_else(path: str | None) -> None:
    assert choose_way_back(path) == "/page/"


async def test_an_api_that_does_not_answer_is_said_in_words(stranger: PageVisitor) -> None:
    answer = await stranger.sign_in("ann", key="k" * 20)
    assert answer.status_code == 503
    assert "do not answer" in answer.text


async def test_static_files_are_kept_by_browsers_until_they_change(stranger: PageVisitor) -> None:
    shown = (await stranger.get("/page/sign-in")).text
    address = shown.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert "immutable" in (await stranger.get(address)).headers["cache-control"]
    version = address.split("/")[3]
    assert (await stranger.get(address.replace(version, "0" * 12))).status_code == 404
    assert (await stranger.get(f"/page/static/{version}/../app.py")).status_code == 404
