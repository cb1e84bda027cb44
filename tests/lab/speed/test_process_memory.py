"""What a tree of processes takes, from what the system tells of all of them."""

import os
from pathlib import Path

from palimpsest_lab.speed.process_memory import (
    ProcessMemorySamples,
    parse_processor_seconds,
    parse_resident_memory,
    read_linux_times,
    summarize_samples,
)

TABLE = """\
    1     0   4096 init
   10     1  20480 /usr/bin/palimpsest
   11    10  10240 tansu
   12    10  30720 python3.11
   13    12   5120 python3.11
   20     1  99999 somebody else
   garbage
"""


def test_it_is_a_process_and_all_below_it_by_name() -> None:
    assert parse_resident_memory(TABLE, 10) == {
        "palimpsest": 20.0,
        "tansu": 10.0,
        "python3.11": 35.0,
    }
    assert parse_resident_memory(TABLE, 12) == {"python3.11": 35.0}
    assert parse_resident_memory(TABLE, 404) == {}


def test_processor_time_is_read_as_linux_and_macos_write_it() -> None:
    table = "10 1 00:01:05 palimpsest\n11 10 1-02:00:00 tansu\n12 10 2:03.50 python3.11\n13 1 00:09:00 else"
    assert parse_processor_seconds(table, 10) == {
        "palimpsest": 65.0,
        "tansu": 93_600.0,
        "python3.11": 123.5,
    }


def test_linux_tells_processor_time_to_a_hundredth_whatever_a_process_is_called(
    tmp_path: Path,
) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    zeros = " ".join("0" * 9)
    for pid, parent, name in ((10, 1, "palimpsest"), (11, 10, "a) (b c")):
        folder = tmp_path / str(pid)
        folder.mkdir()
        times = f"{3 * ticks // 2} {ticks // 4}"
        folder.joinpath("stat").write_text(f"{pid} ({name}) S {parent} {zeros} {times} 7 7 20")
    table = read_linux_times(tmp_path)
    assert parse_processor_seconds(table, 10) == {"palimpsest": 1.75, "a) (b c": 1.75}


def test_growth_is_of_the_last_quarter_over_the_first() -> None:
    assert summarize_samples([10, 10, 50, 10, 10, 10, 12, 12]) == {
        "first": 10,
        "last": 12,
        "most": 50,
        "growth": 2,
    }
    assert summarize_samples([]) == {}


def test_who_starts_later_counts_from_then_on() -> None:
    memory = ProcessMemorySamples(1, [{"a": 1.0}, {"a": 1.0, "b": 2.0}])
    assert memory.figures()["b"]["growth"] == 2.0
    assert memory.figures()["all"] == {"first": 1.0, "last": 3.0, "most": 3.0, "growth": 2.0}
