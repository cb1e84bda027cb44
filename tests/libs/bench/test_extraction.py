"""`bench extraction`: dialogues go the way of the service, and what comes out is judged."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from palimpsest.bench.cli import app
from palimpsest.bench.extraction import bench
from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.extraction_providers import ProviderName, reader_of
from palimpsest.bench.extraction_windows import found_in, windows_of
from palimpsest.domain.errors import PermanentError
from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.proposing import propose
from palimpsest.providers.extraction.rules.local import LocalRules
from palimpsest.providers.models.prices import ModelPrices
from palimpsest.runtime.settings import Settings
from tests.fakes.model_server import Asked, Fails, Says, answers, model_server


def dialogue(*texts: str, name: str = "d-1", **expected: Sequence[dict[str, Any]]) -> Dialogue:
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
    return Dialogue.model_validate(
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
    first, second = windows_of(long, rounds=5, context_messages=3)
    assert [turn.message_id for turn in first.fresh] == [f"m{n}" for n in range(1, 11)]
    assert [turn.message_id for turn in second.context] == ["m8", "m9", "m10"]
    assert [turn.message_id for turn in second.fresh] == ["m11", "m12", "m13", "m14"]
    assert first.agent_id == "scribe"
    assert first.project_id == "atlas"
    assert first.settings.time_zone == "Europe/Berlin"


def test_nobody_reads_what_may_not_be_stored_nor_chit_chat() -> None:
    secret = dialogue("the password is hunter2horse!", "Change it.", "I live in Lisbon.")
    (window,) = windows_of(secret, rounds=5, context_messages=3)
    assert "hunter2horse" not in window.fresh[0].text
    assert not list(windows_of(dialogue("hi", "Hello!", "thanks"), rounds=5, context_messages=3))


async def test_what_is_to_be_done_carries_its_times_and_is_struck_off() -> None:
    errands = dialogue(
        "Remind me to call the plumber tomorrow at 3 pm. Remind me to pay the rent on Friday.",
        "Noted.",
        "I called the plumber.",
    )
    proposed = []
    for window in windows_of(errands, rounds=5, context_messages=3):
        answer = await LocalRules().extract(request_of(window))
        proposed.append(propose(window, answer, provider="local").event)
    todos = [each for each in found_in(errands, proposed) if each.kind is Kind.ACTION_ITEM]
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


@pytest.mark.parametrize("name", [ProviderName.OPENAI, ProviderName.ANTHROPIC])
async def test_a_vendors_model_reads_the_same_dialogues_and_its_cost_is_told(
    name: ProviderName,
) -> None:
    prices = {f"{name}/small": ModelPrices(input=1.0, output=10.0)}
    async with model_server() as server:
        server.otherwise = lambda _: answers(FOUND)
        base = f"{server.url}/v1" if name is ProviderName.OPENAI else server.url
        reader = reader_of(
            name, model="small", base_url=base, settings=settings(model_prices=prices)
        )
        report = await bench([LISBON], reader, rounds=5, context_messages=3)
        (asked,) = server.asked
    assert "I live in Lisbon" in asked.text
    assert report.figures["recall"] == report.figures["precision"] == 1.0
    assert report.figures["spent"]["tokens"]["output"] > 0
    assert report.figures["spent"]["cost"] > 0


async def test_without_a_price_only_tokens_are_told() -> None:
    async with model_server() as server:
        server.otherwise = lambda _: answers(FOUND)
        reader = reader_of(
            ProviderName.OPENAI, model="m", base_url=f"{server.url}/v1", settings=settings()
        )
        report = await bench([LISBON], reader, rounds=5, context_messages=3)
    assert report.figures["spent"]["cost"] is None
    assert "no price" in report.remark


async def test_what_a_refused_key_leaves_unread_is_missed_and_said_so() -> None:
    def act(asked: Asked) -> Says | Fails:
        return Fails(401) if "Lisbon" in asked.text else answers(FOUND)

    async with model_server() as server:
        server.otherwise = act
        reader = reader_of(
            ProviderName.OPENAI, model="m", base_url=f"{server.url}/v1", settings=settings()
        )
        report = await bench([LISBON], reader, rounds=5, context_messages=3)
    assert report.figures["recall"] == 0.0
    assert report.figures["failed_windows"] == {"not_authorised": 1}


def test_a_vendor_needs_a_model_and_a_key() -> None:
    with pytest.raises(PermanentError, match="--model"):
        reader_of(ProviderName.OPENAI, model=None, base_url=None, settings=settings())
    with pytest.raises(PermanentError, match="API_KEY"):
        reader_of(ProviderName.ANTHROPIC, model="m", base_url=None, settings=Settings())


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
