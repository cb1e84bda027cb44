"""Benchmarks of archives: when two answers are the same, and a large file in ChatGPT's shape."""

from pathlib import Path

import pytest

from palimpsest.api.recall import RecordType
from palimpsest_lab.archives.large_file import write_chatgpt_file
from palimpsest_lab.archives.round_trip import Answered, is_same_answer
from services.host.imports.chatgpt_export import read_chatgpt_export
from services.host.imports.foreign_messages import ImportTarget
from services.host.imports.import_report import ImportReport
from services.host.imports.json_stream import ImportFile


def answer(*scored: tuple[float, str]) -> Answered:
    return [(score, RecordType.MEMORY, text) for score, text in scored]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (answer(), answer(), True),
        (answer((0.9, "a"), (0.5, "b")), answer((0.9, "a"), (0.5, "b")), True),
        (
            answer((0.9, "a"), (0.9, "b"), (0.1, "c")),
            answer((0.9, "b"), (0.9, "a"), (0.1, "c")),
            True,
        ),
        (answer((0.9, "a"), (0.5, "b")), answer((0.9, "a"), (0.5, "other")), True),
        (answer((0.9, "a"), (0.5, "b")), answer((0.9, "other"), (0.5, "b")), False),
        (answer((0.9, "a"), (0.5, "b")), answer((0.9, "a"), (0.4, "b")), False),
        (answer((0.9, "a")), answer(), False),
    ],
)
def test_answers_are_the_same_but_for_records_of_one_score(
    before: Answered, after: Answered, same: bool
) -> None:
    assert is_same_answer(before, after) is same


def test_the_large_file_is_one_that_the_importer_reads_whole(tmp_path: Path) -> None:
    file, report = tmp_path / "large.json", ImportReport()
    write_chatgpt_file(file, 200_000)
    assert 200_000 <= file.stat().st_size < 300_000
    found = list(read_chatgpt_export(ImportFile(file), ImportTarget(user_id="ann"), report))
    assert report.taken["messages"] == 40 * len(found)
    assert not any(report.left_out.values())
