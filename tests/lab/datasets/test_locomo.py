"""Files of conversations: every turn with its moment, every id of evidence however it is written."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palimpsest_lab.datasets.locomo import (
    FORMAT_EXAMPLE,
    UnreadableData,
    parse_evidence_ids,
    parse_session_start,
    read_locomo_dialogues,
)
from tests.support.lab.datasets import TINY


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        (["D1:3"], ("D1:3",)),
        (["D1:3", "D12:40"], ("D1:3", "D12:40")),
        (["D:11:26"], ("D11:26",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D9:1 D4:4 D4:6"], ("D9:1", "D4:4", "D4:6")),
        (["D1:18", "D", "D1:20"], ("D1:18", "D1:20")),
        (["D2:01"], ("D2:1",)),
        (["D1:3", "D1:3"], ("D1:3",)),
        ("D1:3", ("D1:3",)),
        ([], ()),
        (None, ()),
        (["D", ""], ()),
    ],
)
def test_evidence_is_read_however_it_is_written(
    raw: list[str] | str | None, ids: tuple[str, ...]
) -> None:
    assert parse_evidence_ids(raw) == ids


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("12:30 pm on 1 January, 2024", datetime(2024, 1, 1, 12, 30, tzinfo=UTC)),
    ],
)
def test_dates_of_sessions_are_taken_as_utc(written: str, moment: datetime) -> None:
    assert parse_session_start(written) == moment


def test_a_conversation_becomes_turns_in_order_with_moments_and_captions() -> None:
    first, second = read_locomo_dialogues(TINY)
    assert (first.id, second.id) == ("tiny-1", "dialogue-2")
    assert [turn.id for turn in first.turns] == [
        "D1:1", "D1:2", "D1:3", "D1:4", "D2:1", "D2:2", "D2:3",
    ]  # fmt: skip
    hives = first.turns[2]
    assert hives.occurred_at == datetime(2023, 5, 8, 13, 56, 2, tzinfo=UTC)
    assert (hives.session_id, hives.speaker) == ("session_1", "Runa")
    assert hives.caption == "a photo of two yellow beehives on a roof"
    assert hives.image_url == "https://example.org/hives.jpg"
    honey = first.turns[5]
    assert (honey.caption, honey.image_url) == ("honey jars", None)
    assert first.turns[0].caption is None


def test_questions_keep_their_category_and_evidence() -> None:
    questions = read_locomo_dialogues(TINY)[0].questions
    assert [(question.category, question.evidence) for question in questions] == [
        (4, ("D2:2",)),
        (1, ("D1:4", "D2:1")),
        (2, ("D2:1",)),
        (3, ()),
        (5, ("D1:3",)),
    ]


def test_a_file_may_hold_one_conversation_and_a_limit_takes_the_first(tmp_path: Path) -> None:
    single = tmp_path / "single.json"
    single.write_text(json.dumps(json.loads(TINY.read_text())[0]))
    assert [dialogue.id for dialogue in read_locomo_dialogues(single)] == ["tiny-1"]
    assert [dialogue.id for dialogue in read_locomo_dialogues(TINY, 1)] == ["tiny-1"]


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[1, 2]",
        '{"conversation": {"session_1": []}}',
        '{"conversation": {"session_1_date_time": "yesterday", "session_1": []}}',
        '{"conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{}]}}',
        "{}",
        "[]",
    ],
)
def test_another_file_is_refused_with_words(content: str, tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_text(content)
    with pytest.raises(UnreadableData, match=r"data\.json"):
        read_locomo_dialogues(file)


def test_a_file_that_is_not_there_is_refused_with_words(tmp_path: Path) -> None:
    with pytest.raises(UnreadableData, match=r"none\.json"):
        read_locomo_dialogues(tmp_path / "none.json")


def test_what_is_missing_is_named_with_an_example_that_is_read(tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    turn = {"dia_id": "D1:1", "speaker": "Ann"}
    sessions = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [turn]}
    file.write_text(json.dumps([json.loads(FORMAT_EXAMPLE), {"conversation": sessions}]))
    with pytest.raises(UnreadableData) as refused:
        read_locomo_dialogues(file)
    words = str(refused.value)
    assert "in conversation 2, there is no 'text' where one belongs" in words
    assert words.endswith(FORMAT_EXAMPLE)
    (least,) = read_locomo_dialogues(file, 1)
    assert (least.id, [turn.text for turn in least.turns]) == ("ann", ["I moved to Oslo."])
