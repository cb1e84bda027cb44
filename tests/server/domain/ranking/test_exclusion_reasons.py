"""Why a find is not shown."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import CHAT_SERVICE, SessionSummary
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserSettings, UserState
from palimpsest_language.question_intents.repeated_question import normalize_question
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.ranking.exclusion_reasons import (
    explain_hidden_memory,
    explain_hidden_summary,
    explain_hidden_turn,
)
from palimpsest_server.domain.ranking.extract_features import extract_summary_features
from palimpsest_server.domain.ranking.visibility import Visibility
from tests.support.server.domain.consolidation.samples import candidate, day
from tests.support.turns import turn

SCOPE = Scope(user_id="alice")
SUMMARY = SessionSummary(
    id="summary",
    scope=SCOPE,
    session_id="s",
    text="She moved to Lyon.",
    made_by="local",
    message_count=2,
    through=2,
    started_at=day(9),
    ended_at=day(10),
    made_at=day(10),
    expires_at=day(100),
    epoch=0,
)
TURN = Turn(
    id="turn",
    event_id="e",
    user_id="alice",
    session_id="s",
    message_id="m",
    role=Role.USER,
    text="I moved to Lyon.",
    occurred_at=day(10),
    received_at=day(10),
    epoch=0,
    sequence=1,
)
EPOCH_OVER = UserState(epoch=1)
GOING = UserState(
    going=(
        PendingErasure(
            erasure=Erasure(epoch=0, turn_ids=("turn",), summary_ids=("summary",)), revision=9
        ),
    )
)


def sight(**fields: Any) -> Visibility:
    return Visibility(**{"scopes": (SCOPE,), "now": day(20), **fields})


def memory(**fields: Any) -> Memory:
    stated = build_memory(candidate("m", on=10), received_at=day(10), epoch=0)
    return stated.model_copy(update={"scope": SCOPE, **fields})


SUPERSEDED = {"status": Status.SUPERSEDED, "valid_until": day(15)}


@pytest.mark.parametrize(
    ("found", "seen", "why"),
    [
        ({}, {}, None),
        ({}, {"scopes": (Scope(user_id="bob"),)}, "not_in_scope"),
        ({}, {"state": EPOCH_OVER}, "erased"),
        ({"status": Status.FORGOTTEN}, {"past": True}, "not_active"),
        ({"status": Status.FORGOTTEN}, {"as_of": day(12)}, "not_active"),
        ({}, {"kinds": frozenset({Kind.GOAL})}, "other_kind"),
        ({}, {"since": day(11)}, "other_time"),
        ({}, {"until": day(10)}, "other_time"),
        ({}, {"within": ((None, int(day(10).timestamp())),)}, "other_time"),
        ({}, {"as_of": day(9)}, "not_valid_then"),
        ({"valid_until": day(20)}, {}, "no_longer_valid"),
        ({"expires_at": day(20)}, {}, "no_longer_valid"),
        ({"valid_until": day(20)}, {"past": True}, None),
        ({"valid_from": day(30)}, {}, None),
        (SUPERSEDED, {}, "not_active"),
        (SUPERSEDED, {"past": True}, None),
        (SUPERSEDED, {"as_of": day(12)}, None),
        (SUPERSEDED, {"as_of": day(16)}, "not_valid_then"),
        (SUPERSEDED, {"then": ((int(day(11).timestamp()), int(day(12).timestamp())),)}, None),
        (
            SUPERSEDED,
            {"then": ((int(day(16).timestamp()), int(day(17).timestamp())),)},
            "no_longer_valid",
        ),
    ],
)
def test_a_memory_is_shown_where_it_holds_and_is_asked_for(
    found: dict[str, Any], seen: dict[str, Any], why: str | None
) -> None:
    assert explain_hidden_memory(memory(**found), sight(**seen)) == why


@pytest.mark.parametrize(
    ("found", "seen", "why"),
    [
        ({}, {}, None),
        ({}, {"scopes": (Scope(user_id="bob"),)}, "not_in_scope"),
        ({}, {"state": EPOCH_OVER}, "erased"),
        ({}, {"state": GOING}, "erased"),
        ({}, {"state": UserState(withheld=frozenset({"turn"}))}, "forgotten"),
        ({}, {"as_of": day(9)}, "said_later"),
        ({"text": "ok"}, {}, "says_nothing"),
        ({"text": "嗯嗯"}, {}, "says_nothing"),
        ({"text": "Oh great, I just LOVE waiting two hours at the DMV"}, {}, "sarcastic"),
        ({"text": "So excited to be on hold with the bank again!"}, {}, "sarcastic"),
        ({"text": "Wow, I adore his 3am emails 🙄"}, {}, "sarcastic"),
        ({"text": "I simply adore it when my neighbour drills at 7am"}, {}, "sarcastic"),
        ({"text": "yeah right, because I totally enjoy working weekends"}, {}, "sarcastic"),
        ({"text": 'I "love" my new schedule'}, {}, "sarcastic"),
        ({"text": "我可真“喜欢”加班"}, {}, "sarcastic"),
        ({"text": "我最爱堵车了，每天两小时"}, {}, "sarcastic"),
        ({"text": "呵呵，我太喜欢开会了"}, {}, "sarcastic"),
        ({"text": "真是太享受排队了，办个证等三小时"}, {}, "sarcastic"),
        ({"text": "我最喜欢他半夜发的邮件了🙄"}, {}, "sarcastic"),
        ({"text": "我做梦都想周末被叫去值班呢"}, {}, "sarcastic"),
        ({"text": "I love waiting tables"}, {}, None),
        ({"text": "Great, thanks! I love hiking"}, {}, None),
        ({"text": "我太喜欢这部电影了"}, {}, None),
        ({"text": "他不爱开会"}, {}, None),
        ({"text": "I adore his emails 🙄", "role": Role.AGENT}, {}, None),
        ({}, {"question": normalize_question("i moved to  Lyon")}, "the_question"),
        ({"role": Role.AGENT}, {"question": normalize_question("i moved to  Lyon")}, None),
        ({}, {"since": day(11)}, "other_time"),
    ],
)
def test_a_turn_is_shown_where_it_says_something_that_its_user_left_there(
    found: dict[str, Any], seen: dict[str, Any], why: str | None
) -> None:
    assert explain_hidden_turn(TURN.model_copy(update=found), sight(**seen)) == why


def test_a_forgotten_turn_is_shown_above_what_holds_and_rests_on_it() -> None:
    withheld = sight(state=UserState(withheld=frozenset({"turn", "other"})))
    assert explain_hidden_turn(TURN, withheld.above(frozenset({"turn"}))) is None
    assert explain_hidden_turn(TURN, withheld.above(frozenset({"other"}))) == "forgotten"


@pytest.mark.parametrize(
    ("found", "seen", "why"),
    [
        ({}, {}, None),
        ({}, {"scopes": (Scope(user_id="bob"),)}, "not_in_scope"),
        ({}, {"state": EPOCH_OVER}, "erased"),
        ({}, {"state": GOING}, "erased"),
        ({}, {"now": day(100)}, "no_longer_valid"),
        ({"failed": True}, {}, "no_longer_valid"),
    ],
)
def test_a_summary_is_told_while_it_counts(
    found: dict[str, Any], seen: dict[str, Any], why: str | None
) -> None:
    assert explain_hidden_summary(SUMMARY.model_copy(update=found), sight(**seen)) == why


@pytest.mark.parametrize(
    ("as_of", "why"), [(None, None), (day(10), None), (day(10) - timedelta(hours=1), "said_later")]
)
def test_of_a_conversation_that_was_still_to_end_nothing_is_told_as_of_before(
    as_of: datetime | None, why: str | None
) -> None:
    assert explain_hidden_summary(SUMMARY, sight(as_of=as_of)) == why


@pytest.mark.parametrize(
    ("since", "until", "why"),
    [
        (day(9), day(11), None),
        (day(10), None, None),
        (day(11), None, "other_time"),
        (None, day(10), "other_time"),
        (None, day(10) + timedelta(seconds=1), None),
    ],
)
def test_a_conversation_is_of_the_time_at_which_it_ended(
    since: datetime | None, until: datetime | None, why: str | None
) -> None:
    assert explain_hidden_summary(SUMMARY, sight(since=since, until=until)) == why
    at = extract_summary_features(SUMMARY).at
    assert at == int(SUMMARY.ended_at.timestamp())


@pytest.mark.parametrize(
    ("fields", "automatic", "why"),
    [
        ({}, True, None),
        ({}, False, "unconfirmed"),
        ({"made_by": "vendor/model"}, False, "unconfirmed"),
        ({"made_by": CHAT_SERVICE}, False, None),
    ],
)
def test_without_automatic_extraction_no_summary_of_ours_is_told(
    fields: dict[str, str], automatic: bool, why: str | None
) -> None:
    assert explain_hidden_summary(SUMMARY.model_copy(update=fields), seen(automatic)) == why


@pytest.mark.parametrize("text", ["I am allergic to peanuts.", "我对花生过敏。"])
def test_without_automatic_extraction_no_message_is_told_as_known(text: str) -> None:
    said = turn(1, user_id="alice", text=text)
    assert explain_hidden_turn(said, seen(True)) is None
    assert explain_hidden_turn(said, seen(False)) == "unconfirmed"


def seen(automatic: bool) -> Visibility:
    settings = UserSettings(automatic_extraction=automatic)
    return Visibility(scopes=(SCOPE,), now=day(20), state=UserState(settings=settings))
