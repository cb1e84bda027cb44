"""Whether the golden dialogues are what they say they are."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.figures import compute_extraction_figures
from palimpsest_lab.extraction.golden_dialogues import (
    ExpectedPolarity,
    GoldenDialogue,
    UnreadableDialogue,
    read_golden_dialogues,
)
from palimpsest_lab.extraction.phrase_search import has_any_phrase, has_phrase
from tests.support.extent import EVERY
from tests.support.paths import GOLDEN

EXTRACTION = GOLDEN / "extraction"
FILES = sorted(EXTRACTION.glob("*.jsonl"))


@cache
def dialogues_in(path: Path) -> Sequence[GoldenDialogue]:
    return read_golden_dialogues(path)


@cache
def all_dialogues() -> tuple[GoldenDialogue, ...]:
    return tuple(dialogue for path in FILES for dialogue in dialogues_in(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_dialogue_can_be_read_and_is_in_the_language_of_its_file(path: Path) -> None:
    dialogues = dialogues_in(path)
    assert dialogues
    assert {dialogue.language for dialogue in dialogues} == {path.stem[:2]}


def test_no_two_dialogues_have_one_id_or_one_wording() -> None:
    dialogues = all_dialogues()
    assert [
        name for name, n in Counter(dialogue.id for dialogue in dialogues).items() if n > 1
    ] == []
    said = Counter(
        message.text
        for dialogue in dialogues
        for message in dialogue.messages
        if message.role == "user" and len(message.text) > 20
    )
    assert [text for text, times in said.items() if times > 1] == []


def test_what_must_not_be_remembered_was_said() -> None:
    unsaid = [
        (dialogue.id, forbidden.words)
        for dialogue in all_dialogues()[::EVERY]
        for forbidden in dialogue.expected.must_not
        if not all(
            has_any_phrase("\n".join(message.text for message in dialogue.messages), (word,))
            for word in forbidden.words
        )
        and forbidden.why != "negated"
    ]
    assert unsaid == []


def test_every_value_is_in_the_words_of_the_messages_that_state_it() -> None:
    unsaid = [
        (dialogue.id, memory.value)
        for dialogue in all_dialogues()[::EVERY]
        for memory in dialogue.expected.memories
        if not any(
            has_phrase(message.text, form)
            for message in dialogue.messages
            if message.message_id in memory.stated_in
            for form in memory.value
        )
    ]
    assert unsaid == []


def test_the_set_is_as_large_as_it_says() -> None:
    sizes = {path.stem: len(read_golden_dialogues(path)) for path in FILES}
    used = {"en_open": 120, "en_sealed": 24, "zh_open": 120, "zh_sealed": 27}
    assert sizes == {**used, "en_learnt": 460, "zh_learnt": 449}


def test_a_reader_who_quotes_and_dates_everything_misses_nothing_and_is_never_wrong() -> None:
    told = compute_extraction_figures(
        (dialogue, quoted(dialogue)) for dialogue in all_dialogues()[::EVERY]
    )
    ratios = [
        *("precision", "recall", "first_kind_accuracy", "layer_accuracy", "cited"),
        *("details_kept", "date_accuracy", "due_accuracy"),
    ]
    assert {name: told[name] for name in ratios} == dict.fromkeys(ratios, 1.0)


def test_a_reader_who_finds_nothing_has_missed_everything() -> None:
    told = compute_extraction_figures((dialogue, []) for dialogue in all_dialogues()[::EVERY])
    assert (told["precision"], told["recall"], told["details_kept"]) == (None, 0.0, 0.0)


def quoted(dialogue: GoldenDialogue) -> list[ExtractedItem]:
    """All that is expected of a dialogue, in the words of the messages that state it."""
    text = {message.message_id: message.text for message in dialogue.messages}
    memories = [
        ExtractedItem(
            kind=memory.kinds[0],
            subject=memory.subject[0] if memory.subject else None,
            attribute=None if memory.polarity is ExpectedPolarity.POSITIVE else "dislikes",
            value=memory.value[0],
            content="\n".join(text[name] for name in memory.stated_in),
            data={"date": memory.date} if memory.date else {},
            valid_from=on(memory.date, dialogue),
            agent_id=memory.agent or ("x" if memory.layer == "agent" else None),
            project_id=dialogue.project_id if memory.layer == "project" else None,
            message_ids=memory.stated_in,
        )
        for memory in dialogue.expected.memories
    ]
    return memories + [
        ExtractedItem(
            kind=Kind.ACTION_ITEM,
            content="\n".join(text[name] for name in todo.stated_in),
            due_at=on(todo.due, dialogue),
            remind_at=on(todo.remind_at, dialogue),
            completed=todo.completed,
            message_ids=todo.stated_in,
        )
        for todo in dialogue.expected.todos
    ]


def on(stated: str | None, dialogue: GoldenDialogue) -> datetime | None:
    """The first moment of what was stated, in the zone of the dialogue."""
    if stated is None or "T" in stated:
        return None if stated is None else datetime.fromisoformat(stated)
    year, month, day, *_ = (*map(int, stated.split("-")), 1, 1)
    return datetime(year, month, day, tzinfo=dialogue.zone)


def a_line(**changes: object) -> dict[str, object]:
    moment = "2026-03-02T09:10:00+08:00"
    messages = [
        {"message_id": f"m{n}", "role": "user", "text": "早", "at": moment} for n in (1, 2, 3)
    ]
    return {
        "id": "zh-900",
        "language": "zh",
        "domain": "companion",
        "time_zone": "Asia/Shanghai",
        "sharing_policy": "user_level",
        "messages": messages,
        "expected": {},
    } | changes


def expecting(**memory: object) -> dict[str, object]:
    whole = {"kinds": ["fact"], "subject": [], "value": ["早"], "layer": "user", "from": ["m1"]}
    return {"memories": [whole | memory]}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (a_line(expected=expecting(**{"from": ["m7"]})), "no message m7"),
        (a_line(expected=expecting(kinds=["mood"])), "kinds.0"),
        (a_line(expected=expecting(date="next week")), "date"),
        (a_line(expected=expecting(date="2026-02-30")), "date"),
        (a_line(expected=expecting(date="2026-03-02T15:00:00")), "offset"),
        (a_line(expected=expecting(agent="planner")), "planner takes no part"),
        (a_line(expected=expecting(layer="project")), "no project"),
        (a_line(expected={"memory": []}), "expected.memory"),
        (a_line(time_zone="Asia/Beijing"), "no time zone"),
        (a_line(messages=[]), "messages"),
    ],
)
def test_a_line_that_does_not_hold_together_is_refused_by_place_and_reason(
    tmp_path: Path, line: dict[str, object], complaint: str
) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("\n" + json.dumps(line), encoding="utf-8")
    with pytest.raises(UnreadableDialogue, match=r"broken.jsonl, line 2: .*" + complaint):
        read_golden_dialogues(path)


def test_an_id_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text("\n".join([json.dumps(a_line())] * 2), encoding="utf-8")
    with pytest.raises(UnreadableDialogue, match="zh-900 occurs more than once"):
        read_golden_dialogues(path)
