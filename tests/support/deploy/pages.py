"""The Markdown pages of the repository as their readers see them: links, anchors, code."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.paths import ROOT

CHINESE = ".zh-CN.md"
ROOMS = ("deploy", "libs", "services", "tests")

_NO_PART_OF_AN_ANCHOR = re.compile(r"[^\w\- ]")
_COMMENT = re.compile(r"(?:(?<=\s)|^)# .*$", re.MULTILINE)


class Code(NamedTuple):
    """A fenced block."""

    language: str
    text: str

    def bare(self) -> "Code":
        """Without its comments, which are words and are translated, and without what they leave behind."""
        lines = (line.rstrip() for line in _COMMENT.sub("", self.text).splitlines())
        return Code(self.language, "\n".join(line for line in lines if line))


def pages() -> tuple[str, ...]:
    """Every page of the repository, by its path from the root."""
    found = [ROOT.glob("*.md"), *((ROOT / room).rglob("*.md") for room in ROOMS)]
    paths = (page.relative_to(ROOT) for each in found for page in each)
    return tuple(sorted(str(page) for page in paths if "node_modules" not in page.parts))


def codes(page: str) -> tuple[Code, ...]:
    return tuple(
        Code(token.info.strip(), token.content) for token in _tokens(page) if token.type == "fence"
    )


def links(page: str) -> tuple[str, ...]:
    """Where the links and pictures of a page lead, as written but for escapes."""
    found = (token.attrGet("href") or token.attrGet("src") for token in _inline(page))
    return tuple(unquote(str(each)) for each in found if each)


def words(page: str) -> str:
    """What is read as plain words: no code, no addresses, no marks that were understood."""
    return "\n".join(token.content for token in _inline(page) if token.type == "text")


def target_of(page: str, link: str) -> str:
    """The path from the root of what a relative link of a page leads to, its anchor left out.

    Raises:
        ValueError: it leads out of the repository.
    """
    path = link.partition("#")[0]
    target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    return str(target.relative_to(ROOT))


@cache
def anchors(page: str) -> frozenset[str]:
    """The anchors of the headings, as GitHub makes them: https://github.com/gjtorikian/html-pipeline."""
    seen: dict[str, int] = {}
    made = set()
    tokens = _tokens(page)
    for opening, inside in pairwise(tokens):
        if opening.type == "heading_open":
            title = "".join(child.content for child in inside.children or ())
            anchor = _NO_PART_OF_AN_ANCHOR.sub("", title.lower()).replace(" ", "-")
            again = seen.get(anchor, 0)
            seen[anchor] = again + 1
            made.add(f"{anchor}-{again}" if again else anchor)
    return frozenset(made)


def broken_links(page: str, known: Mapping[str, frozenset[str]]) -> list[str]:
    """The relative links of a page that lead nowhere; `known` is the anchors of every page."""
    return [link for link in links(page) if not _leads_somewhere(page, link, known)]


def _leads_somewhere(page: str, link: str, known: Mapping[str, frozenset[str]]) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    target = target_of(page, link)
    anchor = link.partition("#")[2]
    if not (ROOT / target).exists():
        return False
    return not anchor or anchor in known.get(target, frozenset())


def _inline(page: str) -> Iterator[Token]:
    for token in _tokens(page):
        yield from token.children or ()


@cache
def _tokens(page: str) -> tuple[Token, ...]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return tuple(MarkdownIt("commonmark").enable("table").parse(text))
