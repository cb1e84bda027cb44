"""`bench extraction`: dialogues go the way of the service, and what comes out is judged."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from palimpsest.model.errors import PermanentError
from palimpsest.model.kinds import Kind
from palimpsest_lab.cli.benchmarks import app
from palimpsest_lab.extraction.benchmark import run_benchmark
from palimpsest_lab.extraction.dialogue_readers import ReaderName, build_reader
from palimpsest_lab.extraction.dialogue_windows import (
    collect_extracted_items,
    cut_dialogue_windows,
)
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.models.prices import ModelPrices
from palimpsest_server.runtime.settings import Settings
from tests.support.models.model_server import Asked, Fails, Says, answers, model_server


def dialogue(
    *texts: str, name: str = "d-1", **expected: Sequence[dict[str, Any]]
) -> GoldenDialogue:
    """The user and the agent in turn, on a Monday morning in Berlin."""
    messages = [
        {
            "message_id": f"m{n}",
            "role": "agent" if n % 2 == 0 else "user",
            "agent_id": "scribe" if n % 2 == 0 else None,
            "text": text,
            "at": f"2026-03-02T09:{n:02}:00+01:00",
        }
        for n, text in enumerate(texts, start=1)
    ]
    return GoldenDialogue.model_validate(
        {
            "id": name,
            "language": "en",
            "domain": "layered",
            "time_zone": "Europe/Berlin",
            "sharing_policy": "layered",
            "project_id": "atlas",
            "participants": ["scribe"],
            "messages": messages,
            "expected": expected,
        }
    )


CITY = {
    "kinds": ["fact"],
    "subject": ["user"],
    "value": ["Lisbon"],
    "layer": "user",
    "from": ["m1"],
}

LISBON = dialogue("I live in Lisbon.", "How nice!", "It is.", memories=[CITY])

FOUND = {
    "memories": [
        {
            "kind": "fact",
            "content": "The user lives in Lisbon",
            "summary": None,
            "subject": "user",
            "attribute": "city",
            "value": "Lisbon",
            "replaces": None,
            "importance": None,
            "confidence": 0.9,
            "tags": [],
            "entities": [],
            "evidence": [{"n": 1, "quote": "I live in Lisbon"}],
        }
    ],
    "finished": [],
}


def test_a_dialogue_becomes_the_windows_that_the_service_would_cut() -> None:
    long = dialogue(*[f"Message {n} about the garden." for n in range(1, 15)])
    first, second = cut_dialogue_windows(long, rounds=5, context_messages=3)
    assert [turn.message_id for turn in first.fresh] == [f"m{n}" for n in range(1, 11)]
    assert [turn.message_id for turn in second.context] == ["m8", "m9", "m10"]
    assert [turn.message_id for turn in second.fresh] == ["m11", "m12", "m13", "m14"]
    assert first.agent_id == "scribe"
    assert first.project_id == "atlas"
    assert first.settings.time_zone == "Europe/Berlin"


def test_nobody_reads_what_may_not_be_stored_nor_chit_chat() -> None:
    secret = dialogue("the password is hunter2horse!", "Change it.", "I live in Lisbon.")
    (window,) = cut_dialogue_windows(secret, rounds=5, context_messages=3)
    assert "hunter2horse" not in window.fresh[0].text
    assert not list(
        cut_dialogue_windows(dialogue("hi", "Hello!", "thanks"), rounds=5, context_messages=3)
    )


async def test_what_is_to_be_done_carries_its_times_and_is_struck_off() -> None:
    errands = dialogue(
        "Remind me to call the plumber tomorrow at 3 pm. Remind me to pay the rent on Friday.",
        "Noted.",
        "I called the plumber.",
    )
    proposed = []
    for window in cut_dialogue_windows(errands, rounds=5, context_messages=3):
        answer = await LocalExtractor().extract(build_extraction_request(window))
        proposed.append(propose_candidates(window, answer, provider="local").event)
    todos = [
        extracted_item
        for extracted_item in collect_extracted_items(errands, proposed)
        if extracted_item.kind is Kind.ACTION_ITEM
    ]
    plumber, rent = sorted(todos, key=lambda todo: "rent" in todo.content)
    at = [plumber.due_at, plumber.remind_at, rent.due_at]
    assert [moment and moment.isoformat() for moment in at] == [
        "2026-03-03T14:00:00+00:00",
        "2026-03-03T14:00:00+00:00",
        "2026-03-05T23:00:00+00:00",
    ]
    assert [plumber.completed, rent.completed] == [True, False]


def settings(**changes: Any) -> Settings:
    return Settings(openai_api_key=SecretStr("k"), anthropic_api_key=SecretStr("k"), **changes)


@pytest.mark.parametrize("name", [ReaderName.OPENAI, ReaderName.ANTHROPIC])
async def test_a_vendors_model_reads_the_same_dialogues_and_its_cost_is_told(
    name: ReaderName,
) -> None:
    prices = {f"{name}/small": ModelPrices(input=1.0, output=10.0)}
    async with model_server() as server:
        server.otherwise = lambda _: answers(FOUND)
        base = f"{server.url}/v1" if name is ReaderName.OPENAI else server.url
        reader = build_reader(
            name, model="small", base_url=base, settings=settings(model_prices=prices)
        )
        report = await run_benchmark([LISBON], reader, rounds=5, context_messages=3)
        (asked,) = server.asked
    assert "I live in Lisbon" in asked.text
    assert report.figures["recall"] == report.figures["precision"] == 1.0
    assert report.figures["spent"]["tokens"]["output"] > 0
    assert report.figures["spent"]["cost"] > 0


async def test_without_a_price_only_tokens_are_told() -> None:
    async with model_server() as server:
        server.otherwise = lambda _: answers(FOUND)
        reader = build_reader(
            ReaderName.OPENAI, model="m", base_url=f"{server.url}/v1", settings=settings()
        )
        report = await run_benchmark([LISBON], reader, rounds=5, context_messages=3)
    assert report.figures["spent"]["cost"] is None
    assert "no price" in report.remark


async def test_what_a_refused_key_leaves_unread_is_missed_and_said_so() -> None:
    def act(asked: Asked) -> Says | Fails:
        return Fails(401) if "Lisbon" in asked.text else answers(FOUND)

    async with model_server() as server:
        server.otherwise = act
        reader = build_reader(
            ReaderName.OPENAI, model="m", base_url=f"{server.url}/v1", settings=settings()
        )
        report = await run_benchmark([LISBON], reader, rounds=5, context_messages=3)
    assert report.figures["recall"] == 0.0
    assert report.figures["failed_windows"] == {"not_authorised": 1}


def test_a_vendor_needs_a_model_and_a_key() -> None:
    with pytest.raises(PermanentError, match="--model"):
        build_reader(ReaderName.OPENAI, model=None, base_url=None, settings=settings())
    with pytest.raises(PermanentError, match="API_KEY"):
        build_reader(ReaderName.ANTHROPIC, model="m", base_url=None, settings=Settings())


def test_the_command_reads_files_of_others_and_writes_the_figures(tmp_path: Path) -> None:
    (data := tmp_path / "mine.jsonl").write_text(LISBON.model_dump_json(by_alias=True) + "\n")
    out = tmp_path / "figures.json"
    result = CliRunner().invoke(app, ["extraction", "--data", str(data), "--json", str(out)])
    assert result.exit_code == 0, result.output
    written = json.loads(out.read_text())
    assert written["provider"] == "local"
    assert written["recall"] == 1.0
    assert written["by_language"]["en"]["dialogues"] == 1
    assert {"precision", "kind_accuracy", "details_kept", "date_accuracy", "machine"} <= set(
        written
    )
