"""What the words of a sentence say about when its statement was, is and will be so."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest.model.user import UserSettings
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposal_times.validity import date_proposal
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import STARTED, window

SHANGHAI = ZoneInfo("Asia/Shanghai")
SAID = UtteranceTime(datetime(2026, 3, 11, 10, 20, tzinfo=SHANGHAI), "Asia/Shanghai")
"""A Wednesday."""


def local(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    there = moment.astimezone(SHANGHAI).replace(tzinfo=None)
    return there.date().isoformat() if there.time() == time() else there.isoformat("T", "minutes")


def read_alone(sentence: str) -> Proposal:
    [proposal] = read_facts(sentence, SentenceSpeaker(Role.USER, None), message=1, said=SAID)
    return proposal


HAPPENED = [
    ("Last week I passed my driving test.", Kind.EVENT, "2026-03-02"),
    ("I went to a support group yesterday and it was great.", Kind.EVENT, "2026-03-10"),
    ("We launched the beta on Monday.", Kind.EVENT, "2026-03-09"),
    ("昨天我去看了牙医", Kind.EVENT, "2026-03-10"),
    ("我毕业于2015年", Kind.EVENT, "2015-01-01"),
    ("我们上周决定用 Kafka", Kind.DECISION, "2026-03-02"),
]

HELD = [
    # Sentence, from when, until when.
    ("从三月起我住在上海", "2026-03-01", None),
    ("I live in Berlin until June.", None, "2026-06-30T23:59"),
    ("I'm currently travelling in Japan until Friday.", None, "2026-03-13T23:59"),
    ("2024年以前我住在北京", None, "2024-12-31T23:59"),
    # A change had happened when the span was over.
    ("I moved to Berlin last May.", "2025-05-31T23:59", None),
    ("我上个月跳槽到了腾讯。", "2026-02-28T23:59", None),
    ("We switched from MySQL to PostgreSQL last month", "2026-02-28T23:59", None),
    ("we migrated from Jenkins to GitHub Actions last month", "2026-02-28T23:59", None),
    # Nothing is said of when it holds.
    ("I love hiking every weekend.", None, None),
    ("My birthday is on March 14.", None, None),
    ("Yesterday it rained, I live in Berlin.", None, None),
]

TO_COME = [
    ("Remind me to call my dentist tomorrow at 9.", "2026-03-12T09:00", "2026-03-12T09:00", False),
    ("I need to send the report by Friday.", None, "2026-03-14", True),
    ("提醒我明天下午三点交房租", "2026-03-12T15:00", "2026-03-12T15:00", False),
    ("我周五之前要交报告", None, "2026-03-14", True),
    ("我打算明年去日本", "2027-01-01", "2028-01-01", True),
]


@pytest.mark.parametrize(("sentence", "kind", "when"), HAPPENED)
def test_what_happened_has_its_own_time_and_holds_from_then_on(
    sentence: str, kind: Kind, when: str
) -> None:
    proposal = read_alone(sentence)
    assert proposal.kind is kind
    assert (local(proposal.occurred_at), local(proposal.valid_from)) == (when, when)
    assert proposal.valid_until is None


@pytest.mark.parametrize(("sentence", "since", "until"), HELD)
def test_what_holds_does_so_since_and_until(
    sentence: str, since: str | None, until: str | None
) -> None:
    proposal = read_alone(sentence)
    assert (local(proposal.valid_from), local(proposal.valid_until)) == (since, until)


@pytest.mark.parametrize(("sentence", "starts", "ends", "all_day"), TO_COME)
def test_what_is_to_come_keeps_its_time_and_holds_as_of_now(
    sentence: str, starts: str | None, ends: str, all_day: bool
) -> None:
    proposal = read_alone(sentence)
    assert proposal.time is not None
    assert (local(proposal.time.starts_at), local(proposal.time.ends_at)) == (starts, ends)
    assert proposal.time.all_day is all_day
    assert (proposal.occurred_at, proposal.valid_from, proposal.valid_until) == (None, None, None)


def test_each_statement_has_the_time_of_its_own_clause() -> None:
    sentence = "I moved to Berlin last May, and yesterday I passed my driving test"
    moved, passed = read_facts(sentence, SentenceSpeaker(Role.USER, None), message=1, said=SAID)
    assert moved.time
    assert passed.time
    assert (moved.time.words, passed.time.words) == ("last May", "yesterday")


def test_a_sentence_read_without_its_time_says_nothing_of_times() -> None:
    [proposal] = read_facts(
        "I moved to Berlin last May.", SentenceSpeaker(Role.USER, None), message=1
    )
    assert (proposal.time, proposal.valid_from) == (None, None)


async def test_a_candidate_carries_the_times_in_the_zone_of_its_user() -> None:
    asked = window("昨天我去看了牙医", settings=UserSettings(time_zone="Asia/Shanghai"))
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    assert ExtractionAnswer.model_validate_json(answer.model_dump_json()) == answer

    [candidate] = propose_candidates(asked, answer, provider="local").event.candidates
    assert local(candidate.occurred_at) == "2026-03-01"
    assert candidate.valid_from == candidate.occurred_at
    assert candidate.data["time"] == {
        "words": "昨天",
        "starts_at": "2026-02-28T16:00:00Z",
        "ends_at": "2026-03-01T16:00:00Z",
        "granularity": "day",
        "all_day": True,
    }
    assert candidate.evidence[0].quote == "昨天我去看了牙医"


async def test_a_candidate_that_says_nothing_of_time_holds_from_when_it_was_said_on() -> None:
    asked = window("I live in Berlin.")
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    [candidate] = propose_candidates(asked, answer, provider="local").event.candidates
    assert candidate.occurred_at == candidate.valid_from == asked.fresh[0].occurred_at
    assert (candidate.valid_until, candidate.data) == (None, {})


async def test_what_had_ended_when_it_was_said_holds_no_more() -> None:
    asked = window("2024年以前我住在北京")
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    [candidate] = propose_candidates(asked, answer, provider="local").event.candidates
    assert candidate.valid_until is not None
    assert candidate.valid_from < candidate.valid_until < STARTED


@pytest.mark.parametrize(
    ("text", "quote", "words"),
    [
        ("Hi! I passed my driving test last week. It rained yesterday.", "passed my driving test", "last week"),
        ("下雨了。昨天我去看了牙医。明天再说", "我去看了牙医", "昨天"),
        ("I passed my driving test.", "passed my driving test", None),
        ("I passed my driving test last week", "failed my driving test", None),
    ],
)  # fmt: skip
def test_a_models_proposal_takes_its_time_from_around_its_quote(
    text: str, quote: str, words: str | None
) -> None:
    proposal = Proposal(
        kind=Kind.EVENT, content="x", evidence=(MessageQuote(message=1, quote=quote), MessageQuote(message=9, quote="x"))
    )  # fmt: skip
    found = date_proposal(proposal, build_extraction_request(window(text)))
    assert (found.time.words if found.time else None) == words
