"""What else the words of a memory say of time: kept beside it, written out, and no guess."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.proposal_times.mentioned_times import (
    MAX_MENTIONED_TIMES,
    add_mentioned_times,
    format_time,
)
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_server.extraction.candidate_event import propose_candidates
from tests.support.windows import window

AT = datetime(2026, 3, 11, 2, 20, tzinfo=UTC)
"""A Wednesday, 10:20 in Shanghai."""
SHANGHAI = "Asia/Shanghai"


async def mentioned(text: str, *, quote: str | None = None, own: str | None = None) -> list[str]:
    """The words of the times that are kept beside a proposal on this quote, dated by `own`."""
    times = find_sentence_times(text, UtteranceTime(AT, SHANGHAI))
    proposal = Proposal(
        kind=Kind.EVENT,
        content=text,
        time=next((time for time in times if time.words == own), None),
        evidence=(MessageQuote(message=1, quote=quote or text),),
    )
    [found] = await add_mentioned_times([proposal], asked(text))
    return [mention.words for mention in found.mentions]


def asked(text: str) -> ExtractionRequest:
    message = DialogueMessage(
        number=1, role=Role.USER, speaker=None, text=text, fresh=True, occurred_at=AT
    )
    return ExtractionRequest(
        user_id="ana", messages=(message,), participants=(), language=None, time_zone=SHANGHAI
    )


@pytest.mark.parametrize(
    ("text", "own", "others"),
    [
        ("the ferry to Mull in June, back on the 9th", "in June", ["on the 9th"]),
        ("六月去厦门，9号回来", "六月", ["9号"]),
        ("I swim every Monday since April 2019", None, ["since April 2019"]),
        ("nothing of the kind", None, []),
    ],
)
async def test_the_other_times_of_a_clause_are_kept(
    text: str, own: str | None, others: list[str]
) -> None:
    assert await mentioned(text, own=own) == others


async def test_half_a_clause_has_the_times_of_all_of_it_and_none_of_another_sentence() -> None:
    text = "我最近戒烟 从3月1号起一根没抽。去年五月摔过腿"
    assert await mentioned(text, quote="我最近戒烟") == ["从3月1号起"]


async def test_words_that_were_not_said_mention_nothing() -> None:
    assert await mentioned("see you on Friday", quote="on Saturday") == []


async def test_of_a_long_list_some_are_kept() -> None:
    days = "closed on May 2, June 3, July 4, August 5, September 6 and October 7"
    assert len(await mentioned(days)) == MAX_MENTIONED_TIMES


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("6月9号", {"on": "2026-06-09"}),
        ("六月", {"from": "2026-06-01", "until": "2026-06-30"}),
        ("到六月底", {"until": "2026-06-30"}),
        ("从3月1号起", {"from": "2026-03-01"}),
        ("明天上午九点", {"at": "2026-03-12T09:00+08:00"}),
    ],
)
def test_a_time_is_written_out_by_the_calendar_of_whoever_said_it(
    words: str, written: dict[str, str]
) -> None:
    [time] = find_sentence_times(words, UtteranceTime(AT, SHANGHAI))
    assert format_time(time, SHANGHAI) == {"words": words, **written}


def test_a_candidate_carries_them_in_its_data() -> None:
    asked_for = window("the ferry to Mull is in June, back on the 9th")
    text = asked_for.fresh[0].text
    proposal = Proposal(
        kind=Kind.EVENT,
        content=text,
        mentions=find_sentence_times("June 9", UtteranceTime(AT, asked_for.settings.time_zone)),
        evidence=(MessageQuote(message=1, quote=text),),
    )
    answer = ExtractionAnswer(proposals=(proposal,))
    [candidate] = propose_candidates(asked_for, answer, provider="test").event.candidates
    assert candidate.data["mentions"] == [{"words": "June 9", "on": "2026-06-09"}]
