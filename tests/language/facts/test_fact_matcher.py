"""Facts of single sentences: whose they are, what they replace, and which quote they rest on."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.proposals import Proposal

USER = SentenceSpeaker(Role.USER, None)
AGENT = SentenceSpeaker(Role.AGENT, None)


def proposals(text: str, speaker: SentenceSpeaker = USER) -> list[Proposal]:
    return [
        proposal
        for declarative_sentence in split_declarative_sentences(text)
        for proposal in read_facts(declarative_sentence, speaker, message=1)
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "I'd move to Berlin tomorrow.",
        "Thanks, that is all.",
        "Can you explain how Kafka works?",
        "What is my name?",
        "The user should see a button.",
        "谢谢，没别的了",
        "请解释一下 Kafka 是什么",
    ],
)
def test_what_is_asked_supposed_or_small_talk_is_no_fact(sentence: str) -> None:
    assert proposals(sentence) == []


def test_a_stay_has_no_attribute() -> None:
    assert [proposal.attribute for proposal in proposals("I'm on holiday in April")] == [None]


@pytest.mark.parametrize(
    ("sentence", "attribute"),
    [("我老公在东莞当保安", "job"), ("Tom, 45, plumber with Kent Water, fixed our sink", "name")],
)
def test_what_others_are_is_not_told_of_the_speaker(sentence: str, attribute: str) -> None:
    assert attribute not in {proposal.attribute for proposal in proposals(sentence)}


def test_what_holds_has_not_ended() -> None:
    assert not any(
        proposal.ended for proposal in proposals("I use Vue. 我住在上海。不用 Vue 了，改用 React")
    )


def test_a_change_of_mind_says_what_it_replaces() -> None:
    chinese = proposals("不用 Vue 了，改用 React")[0]
    english = proposals("We switched from Vue to React.")[0]
    assert (chinese.replaces, english.replaces) == ("Vue", "Vue")
    assert chinese.attribute == english.attribute == "preferred_framework"


def test_one_sentence_may_state_several_things() -> None:
    found = proposals("I'm a nurse at Charité and I live in Berlin.")
    assert {(proposal.attribute, proposal.value) for proposal in found} == {
        ("job", "nurse"),
        ("employer", "Charité"),
        ("city", "Berlin"),
    }
    found = proposals("我在腾讯做后端工程师，住在深圳，我喜欢爬山。")
    assert {("job", "后端工程师"), ("employer", "腾讯"), ("likes", "爬山")} <= {
        (proposal.attribute, proposal.value) for proposal in found
    }


def test_with_several_people_the_speaker_is_the_subject() -> None:
    caroline = SentenceSpeaker(Role.USER, "Caroline")
    found = proposals("I live in Boston. 我喜欢喝茶。", caroline)
    assert [proposal.subject for proposal in found] == ["Caroline", "Caroline"]
    assert [proposal.content for proposal in found] == [
        "Caroline lives in Boston",
        "Caroline 喜欢喝茶",
    ]


def test_an_agent_states_no_facts_about_the_user() -> None:
    assert proposals("I live in Berlin. My name is Bot. 我喜欢喝茶。", AGENT) == []


def test_what_an_agent_concludes_decides_and_learns_is_found() -> None:
    said = "The root cause was a missing proxy variable. 我们决定用 Kafka。 I'll send the plan by Friday."
    assert [proposal.kind for proposal in proposals(said, AGENT)] == [
        Kind.LESSON,
        Kind.DECISION,
        Kind.ACTION_ITEM,
    ]


def test_the_quote_is_the_sentence_as_it_stands_in_the_text() -> None:
    text = "Good morning!\nI live in Berlin, as you know.  我喜欢喝茶！"
    quotes = [proposal.evidence[0].quote for proposal in proposals(text)]
    assert quotes == ["I live in Berlin, as you know.", "我喜欢喝茶！"]


def test_an_endless_line_is_not_read() -> None:
    assert proposals("I live in Berlin " * 60) == []
