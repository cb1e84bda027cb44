"""The sentences are such that a generator can fill them and a checker can find their values."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import pytest

ATTRIBUTE_PARTS = {"single": ("state", "change", "repeat"), "multi": ("state", "stop")}
VALUES_EACH = {"single": 12, "multi": 30}


@pytest.fixture(params=["zh", "en"])
def sentences(request: pytest.FixtureRequest) -> Mapping[str, Any]:
    file = files("palimpsest_lab.simulation") / f"sentences_{request.param}.json"
    loaded: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def test_every_phrasing_has_room_for_its_value(sentences: Mapping[str, Any]) -> None:
    for group, parts in ATTRIBUTE_PARTS.items():
        for attribute in sentences[group].values():
            for part in parts:
                assert len(set(attribute[part])) == len(attribute[part]) == 8
                assert all("{value}" in phrasing for phrasing in attribute[part])


def test_only_a_change_names_what_was_before(sentences: Mapping[str, Any]) -> None:
    for group, parts in ATTRIBUTE_PARTS.items():
        for attribute in sentences[group].values():
            named = {part for part in parts if any("{old}" in text for text in attribute[part])}
            assert named == ({"change"} if group == "single" else set())


def test_values_of_an_attribute_cannot_be_taken_for_one_another(
    sentences: Mapping[str, Any],
) -> None:
    for group, count in VALUES_EACH.items():
        for attribute in sentences[group].values():
            values = [value.casefold() for value in attribute["values"]]
            assert len(set(values)) == count
            assert not [(a, b) for a in values for b in values if a != b and a in b]


def test_every_fact_and_every_bit_of_chat_is_there_once(sentences: Mapping[str, Any]) -> None:
    assert len(set(sentences["facts"])) == len(sentences["facts"]) == 120
    assert len(set(sentences["chat"])) == len(sentences["chat"]) == 150


def test_both_languages_speak_of_the_same_attributes() -> None:
    folder = files("palimpsest_lab.simulation")
    zh, en = (
        json.loads((folder / f"sentences_{name}.json").read_text("utf-8")) for name in ("zh", "en")
    )
    assert [(group, list(zh[group])) for group in ATTRIBUTE_PARTS] == [
        (group, list(en[group])) for group in ATTRIBUTE_PARTS
    ]
