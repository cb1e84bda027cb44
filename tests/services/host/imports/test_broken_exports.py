"""Files that are broken, or not what they are said to be, are refused in words or left out by item."""

import copy
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.host.exports import archive_format
from services.host.imports.foreign_messages import ImportTarget
from services.host.imports.import_archive import count_archive
from services.host.imports.import_formats import FOREIGN_READERS, ImportFormat, read_event_lines
from services.host.imports.import_report import ImportReport
from services.host.imports.json_stream import ImportFile, UnreadableImport
from tests.support.extent import EVERY

EXPORTS = Path(__file__).parent / "exports"
FILES = {
    ImportFormat.CHATGPT: "chatgpt.json",
    ImportFormat.CLAUDE: "claude.json",
    ImportFormat.MESSAGES: "messages.jsonl",
    ImportFormat.MEM0: "mem0.json",
    ImportFormat.ZEP: "zep.json",
}
ODD: tuple[Any, ...] = (5, 1e308, True, None, "", "x", [], {}, [1], [[]], {"a": 1}, "9999-99-99")
"""Values in the place of another."""


def read(written: ImportFormat, file: Path) -> int:
    reader = FOREIGN_READERS[written]
    source = ImportFile(file, members=reader.members)
    return len(list(reader.read(source, ImportTarget(user_id="ann"), ImportReport())))


def read_chatgpt(file: Path) -> None:
    read(ImportFormat.CHATGPT, file)


def list_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        yield (*place, name)
        if isinstance(part, dict | list):
            yield from list_places(part, (*place, name))


def replace(whole: Any, place: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(whole)
    part = changed
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    return changed


@pytest.mark.parametrize(("written", "name"), FILES.items())
def test_a_field_of_another_type_stops_nothing(
    written: ImportFormat, name: str, tmp_path: Path
) -> None:
    by_line = name.endswith("l")
    text = (EXPORTS / name).read_text(encoding="utf-8")
    whole = [json.loads(line) for line in text.splitlines()] if by_line else json.loads(text)
    file = tmp_path / name
    for place in [*list_places(whole)][::EVERY]:
        for odd in ODD:
            changed = replace(whole, place, odd)
            lines = "\n".join(map(json.dumps, changed)) if by_line else json.dumps(changed)
            file.write_text(lines, encoding="utf-8")
            try:
                read(written, file)
            except UnreadableImport:
                # A line that is no object is refused.
                assert by_line
                assert len(place) == 1


@pytest.mark.parametrize(("written", "name"), FILES.items())
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_nested_without_end_is_refused_before_it_fills_memory(
    written: ImportFormat, name: str, opening: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    for beginning in ("", "[", '{"results":[', '{"threads":['):
        file.write_text(beginning + opening * 200_000)
        with pytest.raises(UnreadableImport):
            read(written, file)
    with pytest.raises(UnreadableImport):
        read_event_lines(file)


def pack(path: Path, name: str, content: str) -> bytes:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (8, 0x01, "is encrypted"),
        (10, 99, "compression method is not supported"),
        (42, 0x7F, "cannot be read"),
    ],
)
def test_a_damaged_zip_file_is_refused_in_words(
    place: int, value: int, words: str, tmp_path: Path
) -> None:
    packed = tmp_path / "export.zip"
    for name, content, take in (
        ("conversations.json", (EXPORTS / "chatgpt.json").read_text(), read_chatgpt),
        ("manifest.json", "{}" * 5_000, lambda file: count_archive(file, ImportReport())),
    ):
        whole = bytearray(pack(packed, name, content))
        packed.write_bytes(whole[: len(whole) // 2])
        unpacked = bytearray(whole)
        start = whole.index(name.encode()) + len(name)
        unpacked[start : start + 2] = b"\xff\xff"
        # The directory at the end of the file says how each is packed.
        whole[whole.index(b"PK\x01\x02") + place] = value
        for damaged, said in (
            (whole[: len(whole) // 2], "breaks off|not a zip"),
            (unpacked, "cannot be read"),
            (whole, words),
        ):
            packed.write_bytes(damaged)
            with pytest.raises(UnreadableImport, match=said):
                take(packed)


def test_a_line_of_an_archive_that_is_longer_than_any_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_format, "LONGEST_LINE", 1_000)
    packed = tmp_path / "archive.zip"
    pack(packed, "memories.jsonl", " " * 1_000_000)
    with (
        zipfile.ZipFile(packed) as archive,
        pytest.raises(UnreadableImport, match=r"memories.jsonl, line 1 is not understood"),
    ):
        list(archive_format.read_records(archive, "memory"))
    pack(packed, "manifest.json", " " * 1_000_000)
    with pytest.raises(UnreadableImport, match="no archive"):
        count_archive(packed, ImportReport())
