"""Summaries without a model: honest about it, in both languages."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.summaries.moods import find_moods
from palimpsest_language.summaries.text_sentences import count_sentences, split_text
from palimpsest_server.extraction.summaries.local_summaries import LocalSummaries
from palimpsest_server.extraction.summaries.summariser import SummaryAnswer, SummaryInput

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

JOB = (
    "我最近在考虑换工作。",
    "可以聊聊是什么原因吗？",
    "主要是现在的工作压力太大了，我很焦虑。",
    "换工作之后最担心什么？",
    "担心换工作以后收入下降。我在上海工作。",
    "要不要先看看机会？",
    "我还没决定要不要换工作，想再观察一段时间。",
    "好的，那就先观察。",
)
SAILING = (
    "I want to sail to Norway this summer.",
    "That sounds great. Which boat?",
    "I bought a small sailing boat last year, and I live in Bergen.",
    "Do you have a route?",
    "I'm excited, but not sure whether to sail along the coast or across. Can you recommend a route to Norway?",
)


def asked(*texts: str, published: str | None = None) -> SummaryInput:
    messages = tuple(
        DialogueMessage(
            number=number,
            role=Role.USER if number % 2 else Role.AGENT,
            speaker=None,
            text=text,
            fresh=True,
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, text in enumerate(texts, start=1)
    )
    request = ExtractionRequest(
        user_id="ann", messages=messages, participants=(), language=None, time_zone="UTC"
    )
    return SummaryInput(conversation=request, published=published)


async def summarised(*texts: str, published: str | None = None) -> SummaryAnswer:
    answer = await LocalSummaries(LocalExtractor()).summarise(asked(*texts, published=published))
    assert answer is not None
    return answer


async def test_a_change_of_jobs_is_summed_up_from_what_was_said() -> None:
    answer = await summarised(*JOB)
    assert 2 <= count_sentences(answer.text) <= 3
    assert "换工作" in answer.text
    assert "工作" in " ".join(answer.topics)
    assert 3 <= len(answer.topics) <= 5
    assert answer.emotional_tone is not None
    assert "焦虑" in answer.emotional_tone
    assert answer.unresolved is not None
    assert "还没决定" in answer.unresolved
    assert any("上海" in fact.content for fact in answer.key_facts)
    assert answer.language is Language.CHINESE


async def test_a_journey_is_summed_up_in_english() -> None:
    answer = await summarised(*SAILING)
    assert 2 <= count_sentences(answer.text) <= 3
    assert answer.emotional_tone == "hesitant, excited"
    assert {"sail", "norway"} & set(answer.topics)
    assert answer.user_intent == 'The user said: "I want to sail to Norway this summer."'
    assert any("Bergen" in fact.content for fact in answer.key_facts)


@pytest.mark.parametrize("texts", [JOB, SAILING])
async def test_every_sentence_is_a_rules_statement_or_a_quotation(texts: tuple[str, ...]) -> None:
    answer = await summarised(*texts)
    said = " ".join(texts)
    sentences = list(split_text(answer.text))
    assert sentences
    for sentence in sentences:
        for mark in ("用户说：“", 'The user said: "'):
            if sentence.startswith(mark):
                assert sentence.removeprefix(mark).rstrip('”"') in said
                break
        else:
            contents = " ".join(fact.content for fact in answer.key_facts).casefold()
            assert sentence.rstrip("。.").casefold() in contents


async def test_it_proposes_nothing_anew_for_its_windows_had_it() -> None:
    assert not (await summarised(*JOB)).proposes_facts


async def test_the_words_of_a_chat_service_are_kept() -> None:
    answer = await summarised(*JOB, published="用户想换工作，还没决定。")
    assert answer.text == "用户想换工作，还没决定。"
    assert answer.topics


async def test_where_nothing_is_said_there_is_nothing_to_sum_up() -> None:
    assert (
        await LocalSummaries(LocalExtractor()).summarise(asked("嗯", "好", "OK", "好", "对"))
        is None
    )


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("我压力很大", "焦虑"),
        ("太好了，我很期待", "开心、兴奋"),
        ("我不担心", None),
        ("I'm worried and tired", "anxious, tired"),
        ("I am not worried at all", None),
        ("The report is on the table", None),
    ],
)
def test_a_mood_is_what_somebody_named(text: str, mood: str | None) -> None:
    language = Language.CHINESE if "我" in text else Language.ENGLISH
    assert find_moods([text], language) == mood


async def test_one_statement_made_of_two_sentences_is_told_once() -> None:
    talk = asked("My sister Nora has a party on Saturday. We need to bring a cake.", "Got it.")
    answer = await LocalSummaries(LocalExtractor()).summarise(talk)
    assert answer is not None
    assert answer.text.count("Nora") == 1
