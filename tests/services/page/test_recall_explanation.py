"""The way to an answer: arms of the search, parts of scores, reasons of exclusions."""

from datetime import UTC, datetime

from palimpsest.api.recall import (
    Excluded,
    QuestionIntent,
    RecallResponse,
    RecallResult,
    RecordType,
    ScoreParts,
)
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from services.page.recall_explanation import (
    count_candidates,
    count_exclusions,
    find_arms,
    find_ranks,
    list_parts,
)
from services.page.translations import load_words
from services.page.views.recall import find_reason_words


def result(name: str, **parts: float) -> RecallResult:
    return RecallResult(
        id=name,
        record=RecordType.MEMORY,
        scope=Scope(user_id="ann"),
        content=name,
        score=1.0,
        parts=ScoreParts(**parts),
        evidence=(),
        occurred_at=datetime(2026, 3, 2, tzinfo=UTC),
    )


def test_arms_are_told_by_the_parts_that_they_give() -> None:
    assert find_arms(result("near", cosine=0.6)) == ("meaning",)
    assert find_arms(result("both", cosine=0.6, sparse=0.2)) == ("meaning", "words")
    assert find_arms(result("beside", neighbours=0.2)) == ("beside",)


def test_parts_are_listed_by_their_size_without_those_of_nothing() -> None:
    parts = ScoreParts(dense=0.2, succession=-0.5, length=0.0001, cosine=0.9)
    assert list_parts(parts) == [("succession", -0.5), ("dense", 0.2)]
    assert list_parts(None) == []


def test_all_candidates_are_counted_and_ranked() -> None:
    excluded = [
        Excluded(id=str(number), record=RecordType.TURN, why=why)
        for number, why in enumerate(("gated", "no_longer_holds", "gated"))
    ]
    answer = RecallResponse(
        recall_id="r",
        results=(result("a", cosine=0.6), result("b", sparse=0.1)),
        fell_out=tuple(excluded),
        took_ms=1,
    )
    counts = count_candidates(answer)
    assert (counts.considered, counts.returned, counts.excluded) == (5, 2, 3)
    assert (counts.by_meaning, counts.by_words, counts.beside) == (1, 1, 0)
    assert count_exclusions(answer) == [("gated", 2), ("no_longer_holds", 1)]
    assert find_ranks(answer) == {"a": 1, "b": 2}
    assert find_ranks(None) == {}


def test_every_part_and_reason_has_words() -> None:
    words = load_words(Language.CHINESE)
    summed = set(ScoreParts.model_fields) - {"cosine"}
    assert {f"recall.part_{name}" for name in summed} <= set(words)
    assert find_reason_words("gated") == "recall.why_gated"
    assert find_reason_words("some_day") == "recall.why_other"


def test_each_intent_of_a_question_has_its_words() -> None:
    for language in Language:
        words = load_words(language)
        assert all(words[f"recall.intent_{intent}"] for intent in QuestionIntent)
