"""What the answers to questions are counted as."""

from datetime import UTC, datetime

from palimpsest.api.recall import RecallResponse, RecallResult, RecordType
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.memory import Evidence
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest_lab.datasets.locomo import read_locomo_dialogues
from palimpsest_lab.instances.dialogue_import import build_dialogue_events
from palimpsest_lab.recall.evidence_recall import (
    EvidenceMeasurement,
    build_table,
    compute_recall_figures,
    list_source_messages,
)
from services.host.imports.publish_conversations import ConversationImport
from tests.support.lab.datasets import TINY


def result(*messages: str | None) -> RecallResult:
    return RecallResult(
        id="x",
        record=RecordType.MEMORY,
        content="",
        score=1,
        scope=Scope(user_id="u"),
        evidence=tuple(Evidence(quote="", message_id=message) for message in messages),
        occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_message_counts_once_however_many_results_rest_on_it() -> None:
    answer = RecallResponse(
        recall_id="r",
        results=(result("m1", "m2"), result("m1"), result(None), result("m3")),
        took_ms=1,
    )
    assert list_source_messages(answer) == ["m1", "m2", "m3"]


def asked(category: int, at_10: float) -> EvidenceMeasurement:
    return EvidenceMeasurement(
        category=category,
        recall_at={5: 0.0, 10: at_10, 20: 1.0},
        reciprocal_rank=at_10 / 2,
        tokens=100,
        milliseconds=5.0,
    )


def test_categories_1_to_4_make_the_figure_and_5_stands_apart() -> None:
    found = compute_recall_figures(
        [asked(1, 1.0), asked(4, 0.5), asked(5, 0.0)], ConversationImport(300, 1.5)
    )
    assert (found["r_at_5"], found["r_at_10"], found["r_at_20"]) == (0.0, 0.75, 1.0)
    assert found["mrr"] == 0.375
    assert found["by_category"]["4"]["r_at_10"] == 0.5
    assert found["category_5"] == {
        "r_at_5": 0.0, "r_at_10": 0.0, "r_at_20": 1.0, "mrr": 0.0, "questions": 1,
    }  # fmt: skip
    assert found["import_turns_per_second"] == 200.0
    assert found["recall_ms"] == {"p50": 5.0, "p95": 5.0, "p99": 5.0}
    assert found["tokens"] == 100
    assert [row["questions"] for row in build_table(found)] == [2, 1, 1, 1]


def test_what_was_not_asked_has_no_row() -> None:
    found = compute_recall_figures([asked(1, 1.0)], ConversationImport(300, 1.5))
    assert [row["questions of"] for row in build_table(found)] == ["all of 1 to 4", "category 1"]


def test_every_turn_becomes_a_message_of_a_user_and_every_session_ends() -> None:
    first, _ = read_locomo_dialogues(TINY)
    events = build_dialogue_events(first)
    messages = [event for event in events if isinstance(event, MessageAdded)]
    assert [message.message_id for message in messages] == [turn.id for turn in first.turns]
    assert {message.role for message in messages} == {Role.USER}
    assert {message.speaker for message in messages} == {"Runa", "Teo"}
    assert messages[2].images[0].caption == "a photo of two yellow beehives on a roof"
    assert messages[5].images[0].caption == "honey jars"
    assert messages[0].images == ()
    ends = [number for number, event in enumerate(events) if isinstance(event, SessionEnded)]
    assert ends == [4, 8]
    assert [event.session_id for event in events if isinstance(event, SessionEnded)] == [
        "session_1",
        "session_2",
    ]
