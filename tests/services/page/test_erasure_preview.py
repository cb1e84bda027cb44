"""Previews of erasures: what goes is not told among what stays, and nothing is counted twice."""

import pytest

from palimpsest.api.command_requests import (
    ForgetTopicResult,
    TopicSearchHit,
    TopicSearchResult,
)
from palimpsest.api.resources import CommandResult, RepeatingMessage
from palimpsest.model.memory import Memory
from palimpsest.model.topic_match import TopicRelevanceReason
from palimpsest.model.turn import Role
from services.page.erasure_preview import (
    arrange_counts,
    divide_topic,
    join_purges,
    parse_certainty,
)
from tests.support.server.stores.memories import memory as build_memory


def hit(name: str, sure: float) -> TopicSearchHit:
    return TopicSearchHit(
        record="memory", id=name, sure=sure, because=TopicRelevanceReason.SAID, beginning=name
    )


def repeating(name: str, *, goes: bool) -> RepeatingMessage:
    return RepeatingMessage(
        id=name, session_id="s", message_id=name, role=Role.USER, beginning=name, goes=goes
    )


def remember(name: str) -> Memory:
    return build_memory(name).model_copy(update={"id": name})


def test_what_is_not_sure_enough_stays() -> None:
    found = TopicSearchResult(found=(hit("bees", 1.0), hit("honey", 0.7)), by_meaning=True)
    preview = divide_topic(ForgetTopicResult(topic=found), 0.75)
    assert [record.id for record in preview.going] == ["bees"]
    assert [record.id for record in preview.staying] == ["honey"]


def test_purges_are_joined_without_what_goes_itself() -> None:
    tea, rice, oats = (remember(name) for name in ("tea", "rice", "oats"))
    results = [
        CommandResult(
            command_id="1",
            applied=False,
            memory=tea,
            would_go={"turns": 1, "memories": 1},
            also_said=(rice, oats),
            repeated_by=(repeating("m1", goes=False), repeating("m2", goes=True)),
        ),
        CommandResult(
            command_id="2",
            applied=False,
            memory=rice,
            would_go={"turns": 2},
            also_said=(oats,),
            repeated_by=(repeating("m1", goes=False),),
        ),
    ]
    preview = join_purges(results)
    assert preview.counts == {"turns": 3, "memories": 1}
    assert [memory.id for memory in preview.also_said] == ["oats"]
    assert [message.id for message in preview.repeated_by] == ["m1"]


def test_counts_that_only_programs_understand_are_summed_up() -> None:
    counts = {"ledger": 4, "turns": 2, "windows": 3, "memories": 1, "todos": 0}
    assert arrange_counts(counts) == (("memories", 1), ("turns", 2), ("other", 7))
    assert arrange_counts({"turns": 0}) == ()


@pytest.mark.parametrize(("written", "level"), [("0.6", 0.6), ("0.1", 0.9), (None, 0.9), ("", 0.9)])
def test_only_known_certainties_count(written: str | None, level: float) -> None:
    assert parse_certainty(written) == level
