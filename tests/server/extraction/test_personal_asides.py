"""Statements plainly of the person leave the project they were said in; the work's own facts stay."""

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.memory import Candidate
from palimpsest.model.scope import Scope
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import said, window

EVERYWHERE = Scope(user_id="ana")
IN_PROJECT = Scope(user_id="ana", agent_id="planner", project_id="kitchen")


async def understood(asked: ExtractionRequested) -> tuple[Candidate, ...]:
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    return propose_candidates(asked, answer, provider="local").event.candidates


async def contents_and_scopes(text: str) -> set[tuple[str, Scope]]:
    turn = said(text, agent_id="planner", project_id="kitchen")
    return {(candidate.content, candidate.scope) for candidate in await understood(window(turn))}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I'm left-handed, keep that in mind for the drawers.", "The user is left-handed"),
        ("By the way, I am ambidextrous.", "The user is ambidextrous"),
        ("I wear hearing aids.", "The user wears hearing aids"),
        ("By the way, I have two kids.", "The user has two kids"),
        ("I'm a night owl, btw.", "The user is a night owl"),
        ("I have dyslexia.", "The user has dyslexia"),
        ("对了我是左撇子，摆橱柜的时候考虑一下", "用户是左撇子"),
        ("我是红绿色盲", "用户是红绿色盲"),
        ("我平时坐轮椅", "用户平时坐轮椅"),
        ("对了，我有两个孩子", "用户有两个孩子"),
        ("顺便说一下，我是夜猫子", "用户是夜猫子"),
        ("我左耳听力不好", "用户左耳听力不好"),
    ],
)
async def test_what_is_plainly_of_the_person_leaves_the_project(text: str, content: str) -> None:
    assert await contents_and_scopes(text) == {(content, EVERYWHERE)}


@pytest.mark.parametrize(
    "text",
    [
        "By the way, our budget is 12,000 euros.",
        "By the way, I'm waiting for the client's quote.",
        "btw I have until Friday for the drawings.",
        "We would like a small terrace.",
        "对了，我们的预算是五万",
        "对了，我负责采购",
        "顺便说一下，客户喜欢蓝色",
    ],
)
async def test_facts_of_the_work_stay_in_it_even_as_an_aside(text: str) -> None:
    assert {scope for _, scope in await contents_and_scopes(text)} <= {IN_PROJECT}
