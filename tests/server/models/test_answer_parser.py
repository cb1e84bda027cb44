"""What a model said, read strictly where it can be and tolerantly where it must be."""

import json

import pytest

from palimpsest_server.models.answer_parser import parse_answer
from palimpsest_server.models.language_model import FinishReason, ModelCompletion, TokenUsage
from palimpsest_server.models.model_errors import (
    AnswerCutShort,
    ModelRefused,
    UnreadableAnswer,
    UnusableAnswer,
    WrongAnswerSchema,
)
from tests.support.server.models.answering import PARIS, Capital

ANSWER = json.dumps(PARIS)
EXAMPLE = json.dumps({**PARIS, "city": "Nowhere"})


def completion(text: str, ending: FinishReason = FinishReason.COMPLETE) -> ModelCompletion:
    return ModelCompletion(text=text, usage=TokenUsage(), ending=ending)


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"  \n{ANSWER}\n",
        f"```json\n{ANSWER}\n```",
        f"Sure! Here it is:\n{ANSWER}\nAnything else?",
        f"好的，结果如下：{ANSWER}。",
        f"<think>Maybe {EXAMPLE}?</think>{ANSWER}",
        f"For example {EXAMPLE}, but here: {ANSWER}",
        f"{{city: not JSON}} {ANSWER}",
        json.dumps({**PARIS, "more": {"a": [1]}}),
    ],
)
def test_the_object_asked_for_is_found_in_what_surrounds_it(text: str) -> None:
    assert parse_answer(completion(text), Capital) == Capital.model_validate(PARIS)


@pytest.mark.parametrize(
    "text", ["", "I don't know.", ANSWER[:-3], '{"city": "Par', "[1, 2]", "null", "{" * 500]
)
def test_no_object_is_no_answer(text: str) -> None:
    with pytest.raises(UnusableAnswer):
        parse_answer(completion(text), Capital)


def test_prose_is_told_from_another_shape() -> None:
    with pytest.raises(UnreadableAnswer):
        parse_answer(completion("The capital is Paris."), Capital)
    with pytest.raises(WrongAnswerSchema):
        parse_answer(completion('{"town": "Paris"}'), Capital)


def test_a_flaw_is_told_by_its_place_and_never_by_its_value() -> None:
    with pytest.raises(WrongAnswerSchema) as caught:
        parse_answer(
            completion('{"city": ["secret"], "inhabitants": null, "sights": "x"}'), Capital
        )
    assert "city" in caught.value.remedy
    assert "sights" in caught.value.remedy
    assert "secret" not in caught.value.remedy + str(caught.value)


def test_an_answer_that_was_cut_short_is_asked_for_shorter() -> None:
    with pytest.raises(AnswerCutShort) as caught:
        parse_answer(completion(ANSWER[:20], FinishReason.CUT_SHORT), Capital)
    assert "shorter" in caught.value.remedy


def test_an_answer_that_was_complete_when_it_was_cut_is_taken() -> None:
    assert parse_answer(completion(ANSWER, FinishReason.CUT_SHORT), Capital).city == "Paris"


def test_a_refusal_is_no_answer_whatever_it_says() -> None:
    with pytest.raises(ModelRefused):
        parse_answer(completion(ANSWER, FinishReason.REFUSED), Capital)


def test_what_no_database_could_keep_is_refused() -> None:
    broken = '{"city": "\\ud800", "inhabitants": null, "sights": []}'
    with pytest.raises(UnusableAnswer):
        parse_answer(completion(f"Here: {broken}"), Capital)
