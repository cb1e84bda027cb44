"""Dialogues and what was found in them, for the tests of what counts as found."""

from collections.abc import Sequence
from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue


def dialogue(
    *memories: dict[str, Any],
    todos: Sequence[dict[str, Any]] = (),
    must_not: Sequence[dict[str, Any]] = (),
    language: str = "zh",
) -> GoldenDialogue:
    messages = [
        {"message_id": f"m{n}", "role": "user", "text": "…", "at": f"2026-03-02T09:1{n}:00+08:00"}
        for n in (1, 2, 3)
    ]
    return GoldenDialogue.model_validate(
        {
            "id": "one",
            "language": language,
            "domain": "layered",
            "time_zone": "Asia/Shanghai",
            "sharing_policy": "layered",
            "project_id": "atlas",
            "participants": ["planner"],
            "messages": messages,
            "expected": {"memories": memories, "todos": todos, "must_not": must_not},
        }
    )


def memory(**changes: Any) -> dict[str, Any]:
    whole = {
        "kinds": ["preference"],
        "subject": ["user"],
        "value": ["咖啡"],
        "layer": "user",
        "from": ["m1"],
    }
    return whole | changes


def todo(**changes: Any) -> dict[str, Any]:
    return {"content": ["交电费"], "from": ["m2"]} | changes


def found(**changes: Any) -> ExtractedItem:
    whole: dict[str, Any] = {
        "kind": Kind.PREFERENCE,
        "subject": "user",
        "value": "咖啡",
        "content": "我喜欢喝咖啡",
        "message_ids": ("m1",),
    }
    return ExtractedItem(**(whole | changes))


def action(**changes: Any) -> ExtractedItem:
    whole: dict[str, Any] = {
        "kind": Kind.ACTION_ITEM,
        "content": "交电费",
        "message_ids": ("m2",),
    }
    return ExtractedItem(**(whole | changes))
