"""The wording of a question tells its times and what it asks for."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.question_intents.question_wording import QuestionWording, read_wording

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def read(question: str) -> QuestionWording:
    return read_wording(question, now=NOW, time_zone="UTC")


@pytest.mark.parametrize("question", ["Where do I live?", "我住在哪里？"])
def test_an_attribute_is_read(question: str) -> None:
    wording = read(question)
    assert wording.attribute is not None
    assert wording.attribute.attributes == ("city",)
    assert not wording.asks_about_the_past


@pytest.mark.parametrize("question", ["Where did I live before?", "我以前住在哪里？"])
def test_the_past_is_read(question: str) -> None:
    assert read(question).asks_about_the_past


def test_times_are_read_and_taken_out_of_the_question() -> None:
    wording = read("What do I still have to do this week?")
    assert len(wording.times) == 1
    assert "week" not in wording.without_times
    assert wording.asks_for_todos
    assert not wording.asks_only_for_times


def test_a_question_about_its_times_alone_is_read() -> None:
    assert read("What happened last week?").asks_only_for_times
    assert not read("What happened?").asks_only_for_times


def test_what_recurs_is_no_time() -> None:
    assert read("What do I drink every morning?").times == ()


def test_the_speaker_of_the_last_words_is_read() -> None:
    assert read("What did I just say?").last_words_speaker is Role.USER
    assert read("What did you just say?").last_words_speaker is Role.AGENT


def test_an_earlier_conversation_is_read() -> None:
    assert read("As we discussed last time, which boat?").refers_to_earlier_conversation
