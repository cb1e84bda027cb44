"""Lines that the program itself writes into a file, and how they are recognised."""

import re

from palimpsest.workspace.file_contents import Confirmation

ID_COMMENT = re.compile(r"(?<!\\)<!--\s*([0-9a-f][0-9a-f-]{6,35})\s*-->")
"""The id of a memory in a comment behind its line."""

OWN_LINE = re.compile(r"\s*(?:[-*+]\s+\[.?\].*(?<!\\))?<!--\s*palimpsest:")
"""A line of the program, also where it breaks off."""

END_LINE = re.compile(r"\s*<!--\s*palimpsest: end ([0-9a-f]{12})\s*-->\s*$")
REFUSED_LINE = re.compile(r"\s*<!--\s*palimpsest: not remembered ([0-9a-f]{12}): (.*?)\s*-->\s*$")
CONFIRMATION_LINE = re.compile(
    r"\s*[-*+]\s+\[(.?)\].*<!--\s*palimpsest: confirm ([0-9a-f]{12})\s*-->"
)
CONFLICT_LINE = re.compile(r"(?:<{7}|>{7})(?: |$)")

INTRODUCTION = (
    "<!-- palimpsest: one line is one memory. Change, add, move or delete lines, and save. -->",
    "<!-- palimpsest: 一行是一条记忆。改、加、移、删之后，保存即可。 -->",
)

UNREAD_NOTE = 'not read: a memory is a line that begins with "- ", under a heading of this file'


def write_end(token: str) -> str:
    return f"<!-- palimpsest: end {token} -->"


def write_note(note: str) -> str:
    return f"<!-- palimpsest: {note} -->"


def describe_refusal(digest: str, words: str) -> str:
    """Return the note of a line that was refused; the digest tells whether the line was changed since."""
    plain = " ".join(words.split()).replace("--", "-").replace(">", "")
    return f"not remembered {digest}: {plain}"


def write_confirmation(token: str, count: int) -> str:
    """Return the question whether the memories of lines that were gone are to be forgotten."""
    return (
        f"- [ ] Lines were gone and stand here again. Tick to forget these {count} memories;"
        f" delete this line to keep them. · 有 {count} 行不见了，已放回：勾选即忘掉，删去本行即保留。"
        f" <!-- palimpsest: confirm {token} -->"
    )


def read_confirmation(line: str) -> Confirmation | None:
    match = CONFIRMATION_LINE.match(line)
    return match and Confirmation(token=match[2], is_ticked=match[1] in {"x", "X"})
