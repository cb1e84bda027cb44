"""Hints about kinds for prompts, from the table of kinds."""

from collections.abc import Sequence

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.user import Language


def list_hints(
    kinds: Sequence[Kind], language: Language, *, line: str, separator: str = "\n"
) -> str:
    """Return one `line` for each kind, in which `{kind}` and `{hint}` are filled in.

    Raises:
        RuntimeError: a kind has no hint.
    """
    lines: list[str] = []
    for kind in kinds:
        hint = KINDS[kind].hint
        if hint is None:
            raise RuntimeError(f"the row of {kind} has no hint for models")
        lines.append(line.format(kind=kind.value, hint=hint.in_language(language)))
    return separator.join(lines)


def name_in_plural(kinds: Sequence[Kind]) -> str:
    """Return the plural names of kinds in English: `decisions, action items and lessons`."""
    *names, last = [f"{kind.value.replace('_', ' ')}s" for kind in kinds]
    return f"{', '.join(names)} and {last}" if names else last
