"""Leaving a rule out tells what it is worth, and costs nothing where it does not match."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palimpsest_lab.cli.lab import app
from palimpsest_lab.extraction import ablation
from palimpsest_lab.extraction.ablation import build_ablation_report, measure_rules
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue, read_golden_dialogues
from palimpsest_language.rule_tables import all_rules
from tests.support.paths import GOLDEN

SLIP = {
    "id": "en-slip-1",
    "language": "en",
    "domain": "companion",
    "time_zone": "Europe/Berlin",
    "sharing_policy": "layered",
    "project_id": None,
    "participants": [],
    "messages": [
        {"message_id": "m1", "role": "user", "text": "My sister's name is Kate", "at": "2026-03-04T10:00:00+01:00"},
        {"message_id": "m2", "role": "agent", "text": "Nice!", "at": "2026-03-04T10:01:00+01:00"},
        {"message_id": "m3", "role": "user", "text": "no wait it's Cate with a C", "at": "2026-03-04T10:02:00+01:00"},
    ],
    "expected": {
        "memories": [
            {"kinds": ["person"], "subject": [], "value": ["is named Cate"], "layer": "user", "from": ["m1"]}
        ]
    },
}  # fmt: skip


@pytest.fixture
def slip() -> GoldenDialogue:
    return GoldenDialogue.model_validate(SLIP)


async def test_a_rule_that_a_dialogue_needs_moves_its_recall(slip: GoldenDialogue) -> None:
    measured = await measure_rules({"slips": [slip]}, rounds=5, context_messages=3)
    moved = {
        rule_worth.rule: rule_worth.moved["recall"]
        for rule_worth in measured.worth
        if rule_worth.changed
    }
    assert moved["en.corrections.value.sorry"] == -1.0
    assert moved["corrections.value"] == -1.0
    (read,) = measured.sets["slips"]
    tried = {rule_worth.rule for rule_worth in measured.worth}
    assert tried == read.matched
    assert len(measured.list_unmatched()) > len(all_rules()) // 2


async def test_what_was_measured_before_an_interruption_is_told(
    slip: GoldenDialogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    measure = ablation._measure_rule

    async def cancel_after_the_first(rule: str, *rest: object) -> ablation.RuleWorth:
        if tried:
            raise asyncio.CancelledError
        tried.append(rule)
        return await measure(rule, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(ablation, "_measure_rule", cancel_after_the_first)
    measured = await measure_rules({"slips": [slip]}, rounds=5, context_messages=3)
    assert measured.interrupted
    assert [rule_worth.rule for rule_worth in measured.worth] == tried
    assert build_ablation_report(measured).figures["interrupted"] is True


def test_the_command_tells_of_each_set_by_its_name(tmp_path: Path) -> None:
    dialogue = read_golden_dialogues(GOLDEN / "extraction" / "en_open.jsonl")[0]
    few, out = tmp_path / "few.jsonl", tmp_path / "out.json"
    few.write_text(dialogue.model_dump_json(by_alias=True), "utf-8")
    result = CliRunner().invoke(app, ["ablate", "--data", str(few), "--json", str(out)])
    assert result.exit_code == 0
    assert '"few"' in out.read_text("utf-8")
