"""Where several agents take part each point goes to the one that it concerns."""

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import Language, SharingPolicy, UserSettings
from palimpsest_language.addressees import map_agent_names
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.prompts.extraction import build_extraction_prompt
from tests.support.windows import said, window

CODER = said("On it.", role=Role.AGENT, agent_id="coder")
HELPER = said("好的。", role=Role.AGENT, agent_id="assistant-1", speaker="小助手")


SUBJECTS = {"the narrator is Imogen": "narrator"}
"""Of whom something is said that is not about the user."""


def with_both(*turns: Turn | str, **settings: object) -> ExtractionRequested:
    return window(*turns, context=(CODER, HELPER), settings=UserSettings.model_validate(settings))


def proposal(kind: Kind, words: str, **fields: object) -> Proposal:
    return Proposal.model_validate(
        {
            "kind": kind,
            "content": f"The user said: {words}",
            "subject": "user",
            "evidence": (MessageQuote(message=3, quote=words),),
            **fields,
        }
    )


def whose(asked: ExtractionRequested, *proposals: Proposal) -> list[str | None]:
    answer = ExtractionAnswer(proposals=proposals)
    candidates = propose_candidates(asked, answer, provider="model").event.candidates
    assert len(candidates) == len(proposals)
    return [candidate.scope.agent_id for candidate in candidates]


@pytest.mark.parametrize(
    ("text", "words", "kind", "agent_id"),
    [
        ("@coder please always use tabs", "please always use tabs", Kind.PREFERENCE, "coder"),
        ("告诉小助手以后叫我老王", "以后叫我老王", Kind.PREFERENCE, "assistant-1"),
        ("告诉小助手以后叫我老王", "叫我老王", Kind.FACT, "assistant-1"),
        ("coder: your notes were too long", "your notes were too long", Kind.FEEDBACK, "coder"),
        ("小助手，下周三前把周报发我", "下周三前把周报发我", Kind.ACTION_ITEM, "assistant-1"),
        # About the user, whoever is told: every agent is to know.
        ("@coder I prefer tabs", "I prefer tabs", Kind.PREFERENCE, None),
        ("小助手，我对花生过敏", "我对花生过敏", Kind.FACT, None),
        ("please always use tabs", "please always use tabs", Kind.PREFERENCE, None),
        ("both of you: the narrator is Imogen", "the narrator is Imogen", Kind.FACT, None),
        ("both of you: British spelling", "British spelling", Kind.PREFERENCE, None),
    ],
)
def test_what_is_said_to_one_agent_is_that_agents(
    text: str, words: str, kind: Kind, agent_id: str | None
) -> None:
    subject = SUBJECTS.get(words, "user")
    assert whose(with_both(text), proposal(kind, words, subject=subject)) == [agent_id]


@pytest.mark.parametrize("text", ["@designer use blue", "use blue"])
def test_an_agent_that_nobody_knows_is_the_speakers(text: str) -> None:
    spoken = said(text, agent_id="coder")
    (unnamed, named) = whose(
        with_both(spoken),
        proposal(Kind.DECISION, "use blue"),
        proposal(Kind.DECISION, "use blue", agent="designer"),
    )
    assert (unnamed, named) == ("coder", "coder")


def test_the_agent_that_a_model_names_is_believed_where_there_is_one() -> None:
    asked = with_both("Let's keep it short from now on.")
    words = "Let's keep it short from now on."
    assert whose(
        asked,
        proposal(Kind.PREFERENCE, words, agent="小助手"),
        proposal(Kind.PREFERENCE, words, agent="@Coder"),
        proposal(Kind.PREFERENCE, words, agent="the admin"),
        proposal(Kind.PREFERENCE, words),
    ) == ["assistant-1", "coder", None, None]


def test_an_answer_to_an_agent_is_said_to_that_agent() -> None:
    asked = with_both("Shorter, please.")
    (turn,) = asked.fresh
    replied_to = asked.context[1].message_id
    answering = asked.model_copy(
        update={"fresh": (turn.model_copy(update={"reply_to": replied_to}),)}
    )
    wish = proposal(Kind.PREFERENCE, "Shorter, please.")
    assert (whose(asked, wish), whose(answering, wish)) == ([None], ["assistant-1"])


def test_with_all_shared_no_agent_has_anything_of_its_own() -> None:
    asked = with_both("@coder always use tabs", sharing_policy=SharingPolicy.USER_LEVEL)
    assert whose(asked, proposal(Kind.PREFERENCE, "always use tabs", agent="coder")) == [None]


async def test_the_rules_read_past_the_name_and_quote_what_was_said() -> None:
    asked = with_both("@coder 回答简短一点。小助手，以后都用中文回答。我喜欢喝茶。")
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    told = {
        (candidate.value, candidate.scope.agent_id)
        for candidate in propose_candidates(asked, answer, provider="local").event.candidates
    }
    assert told == {("简短", "coder"), ("中文", "assistant-1"), ("喝茶", None)}


def test_agents_are_called_by_their_ids_and_by_their_names() -> None:
    people = said("hi", speaker="Ann")
    assert map_agent_names([CODER, HELPER, people], ("planner", "Ann")) == {
        "planner": "planner",
        "coder": "coder",
        "assistant-1": "assistant-1",
        "小助手": "assistant-1",
    }


@pytest.mark.parametrize(
    ("language", "words"), [(Language.ENGLISH, "The agents:"), (Language.CHINESE, "智能体名单：")]
)
def test_a_model_is_told_the_names_where_there_are_any(language: Language, words: str) -> None:
    told = build_extraction_prompt(build_extraction_request(with_both("hi")), language).said[0].text
    alone = build_extraction_prompt(build_extraction_request(window("hi")), language).said[0].text
    assert f'{words} ["coder", "assistant-1", "小助手"]' in told.replace("：[", "： [")
    assert words not in alone
