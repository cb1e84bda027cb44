"""Paths under `/memories`, and what the commands of the memory tool do to texts. No I/O."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from anthropic.lib.tools import ToolError

FilePath = tuple[str, ...]
"""The names below `/memories`."""

ROOT: FilePath = ()

_TOP = "memories"
_LEVELS = 2
"""Levels of a directory that are listed."""
_NUMBER_WIDTH = 6


def parse_path(path: str) -> FilePath:
    """Return the names of a path.

    Raises:
        ToolError: it does not lie under `/memories`, or might lead out of it.
    """
    first, *names = path.removeprefix("/").removesuffix("/").split("/")
    if first != _TOP or not path.startswith("/"):
        raise ToolError(f"{path} is refused: every path begins with /{_TOP}")
    if any(_may_lead_out(name) for name in names):
        raise ToolError(f"{path} is refused: it might lead out of /{_TOP}")
    return tuple(names)


def _may_lead_out(name: str) -> bool:
    plain = unquote(name)
    return plain in ("", ".", "..") or any(sign in plain for sign in ("/", "\\", "\0"))


def show_path(path: FilePath) -> str:
    return "/".join(("", _TOP, *path))


def refuse_root(path: FilePath) -> None:
    """Refuse to delete or move the directory that holds everything.

    Raises:
        ToolError: the path is that directory.
    """
    if path == ROOT:
        raise ToolError(f"/{_TOP} itself stays where it is")


def refuse_inside(old: FilePath, new: FilePath) -> None:
    """Refuse to move a directory into itself.

    Raises:
        ToolError: the new path lies under the old one.
    """
    if new[: len(old)] == old:
        raise ToolError(f"{show_path(old)} cannot be moved into itself")


def number_lines(text: str, view_range: Sequence[int] | None) -> str:
    """Return the lines with their numbers from 1; a range ends at its last line, or at -1 the last."""
    lines = text.split("\n")
    first, last = view_range or (1, -1)
    start = max(1, first)
    shown = lines[start - 1 : None if last == -1 else last]
    return "\n".join(
        f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(shown, start)
    )


def list_directory(path: FilePath, files: Mapping[FilePath, str]) -> str:
    """Return the names in a directory, two levels deep, with their sizes; hidden ones are left out.

    Raises:
        ToolError: there is no such directory.
    """
    if not files and path != ROOT:
        raise ToolError(f"{show_path(path)} does not exist")
    sizes: dict[FilePath, int] = {path: 0}
    directories = {path}
    for file, text in sorted(files.items()):
        below = file[len(path) :]
        if any(name.startswith(".") for name in below):
            continue
        directories.update(file[:end] for end in range(len(path) + 1, len(file)))
        for end in range(len(path), min(len(path) + _LEVELS, len(file)) + 1):
            sizes[file[:end]] = sizes.get(file[:end], 0) + len(text.encode())
    return "\n".join(
        f"{size}\t{show_path(each)}{'/' if each in directories and each != path else ''}"
        for each, size in sizes.items()
    )


def replace_once(text: str, old: str, new: str) -> str:
    """Return the text with the new words.

    Raises:
        ToolError: the old words do not stand in it, or more than once.
    """
    count = text.count(old) if old else 0
    if count == 0:
        raise ToolError(f"nothing was replaced: {old!r} does not stand in the file")
    if count > 1:
        places = ", ".join(map(str, _find_lines(text, old)))
        raise ToolError(f"nothing was replaced: {old!r} stands in lines {places}; name more of it")
    return text.replace(old, new)


def _find_lines(text: str, words: str) -> Iterable[int]:
    start = text.find(words)
    while start != -1:
        yield text.count("\n", 0, start) + 1
        start = text.find(words, start + 1)


def insert_at(text: str, line: int, words: str) -> str:
    """Return the text with new lines behind this line; 0 is the beginning.

    Raises:
        ToolError: there is no such line.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise ToolError(f"there is no line {line}: the file has {len(lines)}")
    lines.insert(line, words.removesuffix("\n"))
    return "\n".join(lines) + "\n"
