"""The pages hold: links lead somewhere, both languages say the same, and what is to be typed is valid."""

import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from palimpsest.api.context import ContextRequest
from palimpsest.api.recall import RecallRequest
from palimpsest_server.runtime.settings import Settings
from services.host.specifications import build_openapi_document
from services.ingest.receive_events import parse_event
from tests.support.deploy.pages import (
    CHINESE,
    Code,
    anchors,
    broken_links,
    codes,
    links,
    pages,
    target_of,
    words,
)

ENGLISH_OF = {
    "README.zh-CN.md": ("README.md",),
    "services/README.zh-CN.md": ("services/README.md",),
    "deploy/README.zh-CN.md": ("deploy/README.md",),
    "deploy/THREATS.zh-CN.md": ("deploy/THREATS.md",),
    "deploy/runbooks.zh-CN.md": ("deploy/runbooks.md",),
    "libs/palimpsest/README.zh-CN.md": ("libs/palimpsest/README.md",),
    "libs/palimpsest/CONNECT.zh-CN.md": ("libs/palimpsest/CONNECT.md",),
    "libs/palimpsest/GUIDE.zh-CN.md": ("libs/palimpsest/GUIDE.md",),
    "libs/palimpsest/WIRE.zh-CN.md": ("libs/palimpsest/WIRE.md",),
    "libs/typescript/README.zh-CN.md": ("libs/typescript/README.md",),
}
"""Each Chinese page, and the English ones whose content it has."""

OWN_EXAMPLES = {
    "README.zh-CN.md": ("林夏喜欢喝什么", "我上个月搬到杭州了"),
    "services/README.zh-CN.md": ("我已经搬到杭州了", "我现在住在哪里"),
    "libs/palimpsest/CONNECT.zh-CN.md": (
        "我对核桃过敏",
        "我对腰果过敏",
        "小吕对花粉过敏",
        "我对牡蛎过敏",
        "我对芝麻过敏",
        "我对芹菜过敏",
        "我对茴香过敏",
    ),
    "libs/palimpsest/WIRE.zh-CN.md": ("我住在里斯本",),
    "libs/palimpsest/GUIDE.zh-CN.md": ("我对芒果过敏",),
}
"""What a Chinese page has its own examples of, by words that stand in that block alone."""

RUNNABLE = {"sh", "python"}

_CURL = re.compile(
    r"^curl -s '?(?P<url>http://[^\s']+)'?(?:[^\n]*? -d '(?P<body>[^']*)')?", re.MULTILINE
)


def own_examples(page: str) -> tuple[Code, ...]:
    return tuple(
        code
        for code in codes(page)
        if any(phrase in code.text for phrase in OWN_EXAMPLES.get(page, ()))
    )


def test_every_link_and_anchor_of_every_page_leads_somewhere() -> None:
    known = {page: anchors(page) for page in pages()}
    broken = {page: found for page in pages() if (found := broken_links(page, known))}
    assert broken == {}


def test_a_link_that_leads_nowhere_is_seen() -> None:
    """The first test would pass over pages in which nothing was found to be a link."""
    known = {page: anchors(page) for page in pages()}
    assert "figures" in known["README.md"]
    assert "运维要点" in known["deploy/README.zh-CN.md"]
    assert "README.md#figures" in [link.removeprefix("../") for link in links("services/README.md")]
    without = known | {"README.md": frozenset()}
    assert "../README.md#figures" in broken_links("services/README.md", without)


def test_marks_of_emphasis_are_understood_also_between_chinese_characters() -> None:
    """`**好。**他` is no emphasis: the mark closes nothing between a full stop and a character."""
    assert [page for page in pages() if "**" in words(page)] == []


def test_the_pages_of_both_languages_are_these() -> None:
    assert {page for page in pages() if page.endswith(CHINESE)} == set(ENGLISH_OF)
    assert {each for english in ENGLISH_OF.values() for each in english} <= set(pages())


@pytest.mark.parametrize("chinese", ENGLISH_OF)
def test_each_page_leads_to_the_other_language_first(chinese: str) -> None:
    for english in ENGLISH_OF[chinese]:
        assert target_of(english, links(english)[0]) == chinese
    leads = [target_of(chinese, link) for link in links(chinese)[: len(ENGLISH_OF[chinese])]]
    assert leads == list(ENGLISH_OF[chinese])


@pytest.mark.parametrize("chinese", ENGLISH_OF)
def test_what_is_typed_is_the_same_in_both_languages_or_an_example_of_its_own(chinese: str) -> None:
    english = {code.bare() for page in ENGLISH_OF[chinese] for code in codes(page)}
    own = own_examples(chinese)
    typed = [code for code in codes(chinese) if code.language in RUNNABLE]
    assert bool(typed) == any(code.language in RUNNABLE for code in english)
    assert [code.text for code in typed if code not in own and code.bare() not in english] == []


@pytest.mark.parametrize(
    ("page", "phrase"), [(page, each) for page, many in OWN_EXAMPLES.items() for each in many]
)
def test_an_example_of_its_own_stands_on_the_page_once(page: str, phrase: str) -> None:
    assert len([code for code in codes(page) if phrase in code.text]) == 1


async def test_the_examples_of_the_pages_are_what_the_services_take() -> None:
    """Each `curl` of the local address: its route, its parameters, its body."""
    routes = (await build_openapi_document(Settings(_env_file=None, embedder="hashing")))["paths"]
    asked = [
        (match["url"], match["body"])
        for chinese, english in ENGLISH_OF.items()
        for page in (chinese, *english)
        for code in codes(page)
        for match in _CURL.finditer(code.text.replace("\\\n", ""))
    ]
    assert len(asked) >= 12
    for url, body in asked:
        _check(routes, url, body)


def _check(routes: dict[str, Any], url: str, body: str | None) -> None:
    parts = urlsplit(url)
    route = routes[parts.path]["get" if body is None else "post"]
    named = {each["name"] for each in route.get("parameters", ()) if each["in"] == "query"}
    assert {name for name, _ in parse_qsl(parts.query)} <= named
    if body is None:
        return
    fields = json.loads(body)
    match parts.path:
        case "/v1/events":
            for event in fields.get("events", [fields]):
                parse_event(event)
        case "/v1/recall":
            RecallRequest.model_validate(fields, extra="forbid")
        case "/v1/context":
            ContextRequest.model_validate(fields, extra="forbid")
        case other:
            raise AssertionError(f"nothing is known of bodies for {other}")
