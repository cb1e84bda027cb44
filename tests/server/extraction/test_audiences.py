"""Statements go to the assistants that their speaker names: to this one alone, or to all."""

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.memory import Candidate
from palimpsest.model.scope import Scope
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.off_the_record.requests import asks_not_to_remember
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import said, window

EVERYWHERE = Scope(user_id="ana")
HERE = Scope(user_id="ana", agent_id="coach")


async def understood(asked: ExtractionRequested) -> tuple[Candidate, ...]:
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    return propose_candidates(asked, answer, provider="local").event.candidates


async def contents_and_scopes(*texts: str, project_id: str | None = None) -> set[tuple[str, Scope]]:
    turns = [said(text, agent_id="coach", project_id=project_id) for text in texts]
    return {(candidate.content, candidate.scope) for candidate in await understood(window(*turns))}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Just between us, don't tell my other bots: I'm taking lithium", "The user takes lithium"),
        (
            "I have a stammer. Please don't mention this to my other assistants.",
            "The user has a stammer",
        ),
        ("I'm in debt, my other assistants don't need to know.", "The user is in debt"),
        ("This is only for you: I have epilepsy", "The user has epilepsy"),
        (
            "Keep it private and don't let my other agents know: I have diabetes",
            "The user has diabetes",
        ),
        (
            "I live with my ex, but the other assistants mustn't hear about it",
            "The user lives with their ex",
        ),
        ("别让别的助手知道：我有抑郁症", "用户有抑郁症"),
        ("我在办离婚，其他机器人不用知道", "用户在办离婚"),
        ("替我保密，不要告诉其他助理：我怀孕了", "用户怀孕了"),
        ("这事你知道就好，我有癫痫", "用户有癫痫"),
        ("我欠了十万块，这个只限你知道", "用户欠了十万块"),
    ],
)
async def test_a_secret_from_other_assistants_is_kept_for_this_one(text: str, content: str) -> None:
    assert await contents_and_scopes(text) == {(content, HERE)}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("All my bots should know that I'm allergic to bees", "The user is allergic to bees"),
        ("I'm allergic to wool, please tell all of my agents.", "The user is allergic to wool"),
        ("This goes for every assistant: I have asthma", "The user has asthma"),
        (
            "I broke my wrist in May. All my assistants need to know this.",
            "The user broke their wrist in May",
        ),
        ("I have a bad knee, my other assistants should know this too.", "The user has a bad knee"),
        ("我左膝做过手术，这个不光你，别的助手也都得知道", "用户左膝做过手术"),
        ("告诉所有助手，我对青霉素过敏", "用户对青霉素过敏"),
        ("我膝盖动过手术，每个助手都要记住", "用户膝盖动过手术"),
        ("这个让全部助手都知道：我有哮喘", "用户有哮喘"),
    ],
)
async def test_what_is_for_all_assistants_is_kept_for_the_user(text: str, content: str) -> None:
    assert await contents_and_scopes(text) == {(content, EVERYWHERE)}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I'm coeliac, that's true of me wherever you meet me.", "The user is coeliac"),
        ("In every project, I'm left-handed.", "The user is left-handed"),
        ("My pen name is Quill, not just in this project.", "The user's pen name is Quill"),
        ("I'm vegan, no matter what we're working on.", "The user is vegan"),
        ("我笔名叫半山，哪个项目里都用这个", "用户笔名叫半山"),
        ("我对花生过敏，不管在哪个项目都一样", "用户对花生过敏"),
        ("我吃素，不光在这个项目里", "用户吃素"),
    ],
)
async def test_what_holds_everywhere_leaves_its_project(text: str, content: str) -> None:
    assert await contents_and_scopes(text, project_id="novel") == {(content, EVERYWHERE)}


@pytest.mark.parametrize(
    ("text", "here", "everywhere"),
    [
        (
            "Only for you coach: I have epilepsy. My name's Fergal, that's for all of you.",
            "The user has epilepsy",
            "The user's name is Fergal",
        ),
        (
            "Don't tell my other bots that I take lithium. I'm deaf in one ear, you all need to know.",
            "The user takes lithium",
            "The user is deaf in one ear",
        ),
        (
            "只限你知道：我在吃药。另外我叫罗一帆，这个大家都记着",
            "用户在吃药",
            "用户的名字是罗一帆",
        ),
        ("别告诉其他助手：我怀孕了。我对花生过敏，你们都要记住", "用户怀孕了", "用户对花生过敏"),
    ],
)
async def test_a_sentence_for_all_stands_beside_a_secret(
    text: str, here: str, everywhere: str
) -> None:
    assert await contents_and_scopes(text) == {(here, HERE), (everywhere, EVERYWHERE)}


@pytest.mark.parametrize(
    "text",
    [
        "For this project: everything in Kotlin.",
        "Keep this in this project only: I prefer Ms Hale as my solicitor.",
        "I prefer dark mode, don't use that in other projects",
        "这条只在这个项目里用：我喜欢深色主题",
        "我喜欢深色主题，别带到别的项目去",
        "I'm allergic to wool, that's true everywhere. In this project I prefer tabs.",
        "只在本项目里：我喜欢用第三人称",
        "这个项目里都用厘米，我讨厌英寸",
    ],
)
async def test_what_is_for_this_project_stays_in_it(text: str) -> None:
    """A preference, which is the person's elsewhere."""
    scopes = {scope for _, scope in await contents_and_scopes(text, project_id="app")}
    assert Scope(user_id="ana", agent_id="coach", project_id="app") in scopes
    assert scopes <= {EVERYWHERE, Scope(user_id="ana", agent_id="coach", project_id="app")}
    assert (EVERYWHERE in scopes) == ("everywhere" in text)


async def test_a_later_message_may_say_who_is_not_to_know() -> None:
    told = await contents_and_scopes("I have epilepsy.", "Please don't tell my other assistants.")
    assert told == {("The user has epilepsy", HERE)}
    told = await contents_and_scopes("我有癫痫", "别告诉其他助手")
    assert told == {("用户有癫痫", HERE)}


async def test_facts_of_a_project_for_all_assistants_stay_in_the_project() -> None:
    told = await contents_and_scopes(
        "All my assistants should know that the launch date is May 1st.", project_id="alpha"
    )
    assert [scope for _, scope in told] == [Scope(user_id="ana", project_id="alpha")]


@pytest.mark.parametrize(
    "text",
    [
        "Off the record, and don't tell my other assistants: I'm seeing a therapist",
        "Don't save this and don't share it with my other bots: I'm pregnant",
        "这个别记，也别告诉其他助手：我怀孕了",
        "keep this between you and me: I'm pregnant",
    ],
)
def test_what_is_not_to_be_saved_is_withheld_whoever_else_is_named(text: str) -> None:
    assert asks_not_to_remember(text)


@pytest.mark.parametrize(
    "text",
    ["I live in Leeds. My other assistants are slow.", "我住在成都。其他助手都太慢了"],
)
async def test_other_assistants_named_in_passing_keep_nothing_from_them(text: str) -> None:
    assert EVERYWHERE in {scope for _, scope in await contents_and_scopes(text)}
