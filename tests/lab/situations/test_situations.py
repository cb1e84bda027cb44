"""Situations are played to a whole Palimpsest, and what does not hold is told in words."""

import json
from pathlib import Path
from typing import Any

import pytest

from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.situations.benchmark import run_benchmark
from palimpsest_lab.situations.situation import Situation, read_situations

AT = "2026-03-10T09:00:00+08:00"


def situation(identity: str, text: str, *checks: dict[str, Any]) -> dict[str, Any]:
    said = {"role": "user", "text": text, "occurred_at": AT}
    return {
        "id": identity,
        "language": "en",
        "kind": "kept",
        "title": identity,
        "sessions": [{"session_id": "s1", "messages": [said]}],
        "checks": checks,
    }


RIGHT = situation(
    "right",
    "I'm allergic to walnuts. I have to call the vet tomorrow.",
    {"active": "walnuts", "no_active": "peanuts"},
    {"recall": "What am I allergic to?", "first": "walnuts", "none": "peanuts"},
    {"todo": "vet", "due": "2026-03-11", "no_todo": "walnuts"},
    {"context": "What am I allergic to?", "has": "walnuts", "has_not": "peanuts"},
)
WRONG = situation(
    "wrong",
    "I live in Boston.",
    {"active": "Chicago", "no_active": "Boston"},
    {"recall": "Where do I live?", "first": "Chicago", "empty": True},
    {"todo": "vet"},
    {"context": "Where do I live?", "has": "Chicago", "has_not": "Boston"},
)


@pytest.mark.embedded
async def test_what_holds_and_what_does_not_is_told_apart() -> None:
    report = await run_benchmark(
        [Situation.model_validate(RIGHT), Situation.model_validate(WRONG)],
        embedder="hashing",
        patience_seconds=1.0,
    )
    assert [*report.figures["failures"]] == ["wrong"]
    words = " ".join(report.figures["failures"]["wrong"])
    for failure in (
        "active lacks",
        "active has",
        "first lacks",
        "not empty",
        "todo lacks",
        "block lacks",
        "block has",
    ):
        assert failure in words
    assert report.rows[-1] == {"kind": "all", "language": "all", "right": 1, "of": 2, "share": 0.5}


def test_a_line_that_is_no_situation_is_named(tmp_path: Path) -> None:
    (file := tmp_path / "s.jsonl").write_text(
        f"{json.dumps(RIGHT)}\n{json.dumps({**RIGHT, 'checks': [{'active': '('}]})}\n"
    )
    with pytest.raises(UnreadableData, match="line 2"):
        read_situations(file)
