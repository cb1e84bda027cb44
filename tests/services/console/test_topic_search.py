"""What is kept of a request is found by its topic, whatever kind of request it is."""

import pytest

from palimpsest.events.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.events.feedback import FeedbackGiven
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest_language.topic_relevance import assess_topic_relevance
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from services.console.topic_search import _said_in, find_topic_attribute
from tests.support.turns import MORNING

ENVELOPE = {"user_id": "lin", "occurred_at": MORNING}


@pytest.mark.parametrize(
    "event",
    [
        RememberRequested(content="likes marzipan", **ENVELOPE),
        SummaryPublished(session_id="s", text="a talk", key_facts=("marzipan",), **ENVELOPE),
        SkillSucceeded(skill_name="bake", workflow=({"with": "marzipan"},), **ENVELOPE),
        SkillFailed(skill_name="bake", error="no marzipan left", **ENVELOPE),
        SessionStarted(session_id="s", topic="What to do with marzipan", **ENVELOPE),
        SessionStarted(session_id="s", participants=("baker", "marzipan"), **ENVELOPE),
        SkillFailed(skill_name="marzipan", error="burnt", **ENVELOPE),
    ],
)
def test_a_topic_is_found_in_every_kind_of_request(event: AcceptedRequest) -> None:
    names, texts = _said_in(event)
    assert assess_topic_relevance("marzipan", names=names, texts=texts).sure > 0.9


def test_a_verdict_is_about_no_topic() -> None:
    given = FeedbackGiven(verdict=FeedbackVerdict.WRONG, memory_ids=("marzipan",), **ENVELOPE)
    assert _said_in(given) == ((), ())


@pytest.mark.parametrize(
    ("topic", "attribute"),
    [
        ("my name", "name"),
        ("我的名字", "name"),
        ("my job", "job"),
        ("我的工作", "job"),
        ("my birthday", "birthday"),
        ("我的生日", "birthday"),
        ("quantum biscuits", None),
        ("换工作", None),
        ("Bruno", None),
        ("小金", None),
    ],
)
def test_a_topic_may_name_an_attribute(topic: str, attribute: str | None) -> None:
    found = find_topic_attribute(topic)
    assert (found is not None and found.attributes[0]) == (attribute or False)
