"""Long requests in slices: what is asked at once, and the answers made one again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.proposals import (
    CompletionClaim,
    ExtractionAnswer,
    MessageQuote,
    PictureDescription,
    Proposal,
)
from palimpsest_server.domain.extraction_windows import estimate_tokens
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.reading_budget import ReadingBudget
from palimpsest_server.extraction.request_slices import (
    RequestSlice,
    cut_text,
    merge_answers,
    slice_request,
)
from tests.support.windows import said, window

PARAGRAPH = "I live in Berlin. I like tea.\n\n"


def ask(*texts: str, context: tuple[str, ...] = ()) -> ExtractionRequest:
    return build_extraction_request(window(*texts, context=context))


def texts_of(request_slice: RequestSlice) -> list[str]:
    return [message.text for message in request_slice.request.messages if message.fresh]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Anna and.\n\nBen, Carl.", ["Anna and.\n\n", "Ben, Carl."]),
        ("Anna is here.\nBen is too.", ["Anna is here.\n", "Ben is too."]),
        ("Anna is here. Ben is too.", ["Anna is here. ", "Ben is too."]),
        ("我住在柏林。我爱喝茶", ["我住在柏林。", "我爱喝茶"]),
        ("我住在柏林，我爱喝茶", ["我住在柏林，", "我爱喝茶"]),
        ("Anna and Ben and Carl", ["Anna and Ben and ", "Carl"]),
        ("x" * 40, ["x" * 18, "x" * 18, "x" * 4]),
        ("short", ["short"]),
        ("", [""]),
    ],
)
def test_a_text_is_cut_at_the_best_border_there_is(text: str, parts: list[str]) -> None:
    assert cut_text(text, tokens=6) == parts


@given(st.text(max_size=400), st.integers(1, 30))
def test_parts_together_are_the_text_and_none_is_too_long(text: str, tokens: int) -> None:
    parts = cut_text(text, tokens=tokens + 1)
    assert "".join(parts) == text
    assert all(estimate_tokens(part) <= tokens + 1 for part in parts)


def test_a_window_of_people_is_one_slice() -> None:
    request = ask("I live in Berlin.", "I like tea.", context=("Hello.",))
    assert slice_request(request) == [RequestSlice(request)]


def test_parts_of_a_message_keep_its_number_and_its_words() -> None:
    request = ask(PARAGRAPH * 60, context=("We spoke of Berlin.",))
    slices = slice_request(request, tokens=200, part_tokens=100)

    assert len(slices) > 5
    assert (
        "".join(text for request_slice in slices for text in texts_of(request_slice))
        == request.messages[-1].text
    )
    assert {request_slice.part_of for request_slice in slices} == {2}
    assert all(
        request_slice.request.messages[0].text == "We spoke of Berlin." for request_slice in slices
    )
    assert all(estimate_tokens(*texts_of(request_slice)) <= 100 for request_slice in slices)


def test_whole_messages_of_a_session_go_together_with_those_before_them_as_context() -> None:
    request = ask(*(f"Message {number} about tea." for number in range(40)))
    slices = slice_request(request, tokens=60)

    assert [text for request_slice in slices for text in texts_of(request_slice)] == [
        message.text for message in request.messages
    ]
    assert {request_slice.part_of for request_slice in slices} == {None}
    last = slices[-1].request.messages
    assert [message.fresh for message in last] == sorted(message.fresh for message in last)
    assert not last[0].fresh


def test_pictures_are_shown_once() -> None:
    request = ask(PARAGRAPH * 60)
    pictured = request.messages[0].model_copy(
        update={"images": ({"url": "https://example.org/a.png"},)}
    )
    request = request.model_copy(update={"messages": (pictured,)})
    shown = [
        request_slice.request.messages[-1].images
        for request_slice in slice_request(request, tokens=200)
    ]
    assert [bool(images) for images in shown] == [True, *[False] * (len(shown) - 1)]


def propose(content: str, quote: str) -> Proposal:
    return Proposal(
        kind=Kind.FACT,
        content=content,
        confidence=0.9,
        evidence=(MessageQuote(message=1, quote=quote),),
    )


def test_answers_are_merged_into_the_answer_to_the_whole() -> None:
    done = CompletionClaim(about="tax", evidence=MessageQuote(message=1, quote="tax is done"))
    merged = merge_answers(
        [
            ExtractionAnswer(
                proposals=(propose("Likes tea", "I like tea"),),
                finished=(done,),
                seen=(PictureDescription(message=1, description="a cup"),),
                unread_characters=3,
            ),
            ExtractionAnswer(
                proposals=(propose("Likes tea", "tea, always"), propose("Has a dog", "my dog")),
                finished=(done,),
                unread_characters=4,
            ),
        ]
    )
    assert [proposal.content for proposal in merged.proposals] == ["Likes tea", "Has a dog"]
    assert [quote.quote for quote in merged.proposals[0].evidence] == ["I like tea", "tea, always"]
    assert merged.finished == (done,)
    assert [description.description for description in merged.seen] == ["a cup"]
    assert merged.unread_characters == 7


def part(number: int | None) -> RequestSlice:
    return RequestSlice(ask(said("x", role=Role.USER).text), part_of=number)


def test_a_message_has_one_budget_for_all_its_parts() -> None:
    budget = ReadingBudget(request_seconds=5.0, message_seconds=1.0)
    left = []
    for number, cost in (
        (1, 0.4),
        (1, 0.7),
        (1, 0.0),
        (2, 0.5),
        (None, 0.9),
        (None, 0.9),
        (3, 0.0),
    ):
        left.append(round(budget.left_for(part(number)), 3))
        budget.spend(part(number), cost)
    assert left == [1.0, 0.6, 0.0, 1.0, 1.0, 1.0, 1.0]


def test_a_request_has_a_budget_for_all_its_messages() -> None:
    budget = ReadingBudget(request_seconds=1.5, message_seconds=1.0)
    left = []
    for number in range(4):
        left.append(budget.left_for(part(number)))
        budget.spend(part(number), 0.75)
    assert left == [1.0, 0.75, 0.0, 0.0]
