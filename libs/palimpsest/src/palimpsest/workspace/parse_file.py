"""Read a file that a person may have edited. Nothing is refused: what is no memory is kept as text."""

import re
from collections.abc import Sequence

from palimpsest.model.kind_properties import MemoryFile, SectionTitle
from palimpsest.workspace.file_contents import (
    Anchor,
    Confirmation,
    FileLine,
    KeptText,
    ParsedFile,
    digest_words,
)
from palimpsest.workspace.file_marks import (
    CONFLICT_LINE,
    END_LINE,
    ID_COMMENT,
    OWN_LINE,
    REFUSED_LINE,
    UNREAD_NOTE,
    describe_refusal,
    read_confirmation,
)
from palimpsest.workspace.line_text import read_line
from palimpsest.workspace.sections import find_section, is_file_title

_BULLET = re.compile(r"\s*[-*+](?:\s+(.*))?$")
_ID_AND_SPACE = re.compile(rf"\s*{ID_COMMENT.pattern}\s*")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_WRAPPED = re.compile(r"(?: {2,}|\t)\s*(?![-*+](?:\s|$)|#{1,6}\s|```|~~~|<!--\s*palimpsest:)\S")
"""A further line of a bullet that an editor has wrapped."""
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_RULE = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")


def parse_file(file: MemoryFile, written: str) -> ParsedFile:
    """Read a file: its memories, and everything else as text that stays."""
    lines = written.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if any(map(CONFLICT_LINE.match, lines)):
        return ParsedFile(token=None, has_conflict=True)
    reader = _FileReader(file)
    blocks = _find_blocks(lines)
    place = 0
    while place < len(lines):
        if (end := blocks.get(place)) is not None:
            reader.keep_block(lines[place : end + 1])
        else:
            end = _find_wrapped_end(lines, place)
            reader.take(lines[place], wrapped=lines[place + 1 : end + 1])
        place = end + 1
    return reader.result()


def drop_broken_end(written: str, expected: str) -> str:
    """Return a file that breaks off without the beginning of a line that it would have gone on with."""
    whole, line_break, last = written.replace("\r\n", "\n").rpartition("\n")
    is_beginning = any(line.startswith(last) for line in expected.split("\n"))
    return whole + line_break if last and is_beginning else written


def _find_wrapped_end(lines: Sequence[str], place: int) -> int:
    """Return the last line of a bullet that an editor has wrapped; the line itself for any other."""
    if not _BULLET.match(lines[place]) or END_LINE.match(lines[place]):
        return place
    end = place
    while end + 1 < len(lines) and _WRAPPED.match(lines[end + 1]):
        end += 1
    return end


def _join_wrapped(first: str, wrapped: Sequence[str]) -> str:
    """Return wrapped lines as one, without a space between Chinese characters."""
    joined = first.rstrip()
    for line in wrapped:
        words = line.strip()
        gap = "" if _WIDE.match(joined[-1:]) and _WIDE.match(words) else " "
        joined += gap + words
    return joined


def _find_blocks(lines: Sequence[str]) -> dict[int, int]:
    """Return the first and last lines of code and of comments of several lines.

    One that is never closed is none: what stands below it is read.
    """
    blocks: dict[int, int] = {}
    place = 0
    while place < len(lines):
        end = _find_end(lines, place)
        if end is not None:
            blocks[place] = end
        place = (place if end is None else end) + 1
    return blocks


def _find_end(lines: Sequence[str], place: int) -> int | None:
    line = lines[place]
    if (fence := _FENCE.match(line)) is not None:
        closing, first = fence[1], place + 1
    elif line.lstrip().startswith("<!--") and "-->" not in line:
        closing, first = "-->", place + 1
    else:
        return None
    for later in range(first, len(lines)):
        line = lines[later]
        if (closing in line) if closing == "-->" else (line.strip() == closing):
            # The end of another comment, such as that of an id, does not close this one.
            return None if closing == "-->" and "<!--" in line else later
        if END_LINE.match(line):
            return None
    return None


class _FileReader:
    """Takes the lines of a file one after another."""

    def __init__(self, file: MemoryFile) -> None:
        self._file = file
        self._section: SectionTitle | None = None
        self._is_own_section = False
        """True below a heading of a person's own."""
        self._end_section: SectionTitle | None = None
        """The last section before the end of what the program wrote."""
        self._last_id: str | None = None
        self._kept: list[KeptText] = []
        self._block: list[str] = []
        self._block_note: str | None = None
        self._blank_lines = 0
        self._lines: list[FileLine] = []
        self._protected: set[str] = set()
        self._token: str | None = None
        self._confirmation: Confirmation | None = None
        self._refusal: re.Match[str] | None = None

    def take(self, line: str, *, wrapped: Sequence[str] = ()) -> None:
        """Take a line, and the further lines of it if it is a bullet that was wrapped."""
        refusal, self._refusal = self._refusal, None
        if not line.strip():
            self._blank_lines += 1
            return
        if (end := END_LINE.match(line)) is not None:
            self._end_block()
            self._end_section = self._section
            self._token, self._section, self._is_own_section = end[1], None, False
        elif (asked := read_confirmation(line)) is not None:
            self._end_block()
            self._confirmation = asked
        elif OWN_LINE.match(line):
            self._end_block()
            self._refusal = REFUSED_LINE.match(line)
        elif (heading := _HEADING.match(line)) is not None:
            self._take_heading(line, heading[1])
        elif (bullet := _BULLET.match(line)) is not None and not _RULE.match(line):
            raw = "\n".join([line, *wrapped])
            self._take_bullet(raw, _join_wrapped(bullet[1] or "", wrapped), refusal)
        elif line.lstrip().startswith("<!--") and line.rstrip().endswith("-->"):
            self._keep([line], note=None)
        else:
            self._keep([line], note=UNREAD_NOTE)

    def keep_block(self, lines: list[str]) -> None:
        """Keep code, or a comment of several lines."""
        self._refusal = None
        is_comment = lines[0].lstrip().startswith("<!--")
        self._keep(lines, note=None if is_comment else UNREAD_NOTE)

    def result(self) -> ParsedFile:
        self._end_block()
        return ParsedFile(
            token=self._token,
            lines=tuple(self._lines),
            kept=tuple(self._kept),
            protected=frozenset(self._protected),
            confirmation=self._confirmation,
        )

    def _take_heading(self, line: str, heading: str) -> None:
        section = find_section(self._file, heading)
        if section is not None:
            self._end_block()
            self._section, self._is_own_section, self._last_id = section, False, None
        elif is_file_title(self._file, heading):
            self._end_block()
        else:
            if not self._is_own_section:
                self._end_block()
            self._is_own_section = True
            self._keep([line], note=UNREAD_NOTE)

    def _take_bullet(self, raw: str, words: str, refusal: re.Match[str] | None) -> None:
        found = ID_COMMENT.search(words)
        text = read_line(_ID_AND_SPACE.sub(" ", words) if found else words)
        is_blank = not text.strip()
        if (self._is_own_section and found is None) or (is_blank and found is None):
            self._keep(raw.split("\n"), note=UNREAD_NOTE)
            return
        if found is not None and is_blank:
            self._protected.add(found[1])
            return
        if refusal is not None and refusal[1] == digest_words([text]):
            self._end_block()
            self._keep(raw.split("\n"), note=describe_refusal(refusal[1], refusal[2]))
            self._end_block()
            return
        if not self._is_own_section:
            self._end_block()
        self._lines.append(
            FileLine(
                id=found and found[1],
                section=None if self._is_own_section else self._section,
                text=text,
                raw=raw,
                anchor=self._anchor(),
            )
        )
        if found is not None and not self._is_own_section:
            self._last_id = found[1]

    def _keep(self, lines: list[str], note: str | None) -> None:
        self._protected |= {found for line in lines for found in ID_COMMENT.findall(line)}
        if self._block:
            self._block += [""] * self._blank_lines
        self._blank_lines = 0
        self._block += lines
        self._block_note = self._block_note or note

    def _end_block(self) -> None:
        self._blank_lines = 0
        if self._block:
            self._kept.append(
                KeptText(anchor=self._anchor(), lines=tuple(self._block), note=self._block_note)
            )
        self._block, self._block_note = [], None

    def _anchor(self) -> Anchor:
        title = self._section or self._end_section
        section = title.english if title else None
        if self._is_own_section or self._token is not None:
            return Anchor(section=section, at_end=True)
        return Anchor(section=section, line_id=self._last_id)
