"""BM25 finds by the words of the question, dates of sessions among them."""

from dataclasses import replace
from datetime import UTC, datetime

from palimpsest_lab.datasets.locomo import DialogueQuestion, DialogueTurn, LocomoDialogue
from palimpsest_lab.recall.bm25 import format_dated_turn, rank_with_bm25
from palimpsest_lab.recall.evidence_recall import measure_bm25


def turn(number: int, text: str, day: int) -> DialogueTurn:
    return DialogueTurn(
        id=f"D{day}:{number}",
        session_id=f"session_{day}",
        speaker="小林",
        text=text,
        caption=None,
        image_url=None,
        occurred_at=datetime(2025, 3, day, tzinfo=UTC),
    )


ASKED = DialogueQuestion(text="乌龙茶是在哪里买的", category=4, evidence=("D1:2",))
DIALOGUE = LocomoDialogue(
    id="d",
    turns=(turn(1, "今天下雨了", 1), turn(2, "我在市场买了乌龙茶", 1), turn(1, "晚上看电影", 9)),
    questions=(ASKED, replace(ASKED, text="3月9日做了什么", evidence=("D9:1",))),
)


def test_the_turn_that_shares_most_words_comes_first() -> None:
    rankings = rank_with_bm25(DIALOGUE, 2)
    assert rankings["乌龙茶是在哪里买的"][0] == "D1:2"
    assert rankings["3月9日做了什么"][0] == "D9:1"
    assert {len(found) for found in rankings.values()} == {2}


def test_a_turn_is_its_day_its_speaker_and_its_text() -> None:
    assert format_dated_turn(DIALOGUE.turns[0]) == "2025年3月1日 小林：今天下雨了"


def test_it_is_counted_as_recall_is() -> None:
    assert measure_bm25([DIALOGUE]) == {
        "r_at_5": 1.0, "r_at_10": 1.0, "r_at_20": 1.0, "mrr": 1.0, "questions": 2,
    }  # fmt: skip
