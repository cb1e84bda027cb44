"""Tables of rules in TOML files, one row a rule, and the switch that turns single rules off.

A table is a file beside the code that uses it, `facts/english/couples.toml` for one:

    language = "en"
    pieces_from = ["facts/english/employers"]    # its pieces may be used here as well

    [pieces]                        # shared by several rows, written <LATELY> in a pattern
    LATELY = '(?: (?:just|recently))*'

    [[rule]]
    id = "en.couples.single.1"      # never given to another rule
    kind = "fact"                   # these and the rest are the table's own columns
    pattern = ['we<LATELY> ', '(?:broke up|split up)']    # joined without anything between
    examples = [{ text = "We broke up", value = "single" }]
    counter_examples = ["They broke up"]

Lists of words that patterns refer to by name stand in files of their own, as `[words]`; the table
names them as `words_from = ["attribution/english_names"]`. A row with many alternatives lists them
as `any_of` instead of `pattern`. A table may have a `frame`, in which `<ROW>` is the place of the
pattern of each row.

Whoever tries a rule asks `is_enabled` first and calls `note_match` where it fits.

`tests/language/test_rule_examples.py` runs every example and counter-example of every row.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, TypeVar

_ROOT = Path(str(files("palimpsest_language")))
_PIECE = re.compile(r"<([A-Z][A-Z_]*)>")


class _Cached(Protocol):
    def cache_clear(self) -> None: ...


CachedT = TypeVar("CachedT", bound=_Cached)

STEPS = (
    "corrections.name",
    "corrections.quantity",
    "corrections.substitution",
    "corrections.time",
    "corrections.value",
    "local_extraction.compound_sentences",
    "plans.abandoned_plans",
    "scoring",
    "statements.agreements",
    "statements.answers",
    "statements.secondary_facts",
    "statements.trailing_times",
)
"""Steps of local extraction that are code and no rows; they may be switched off like rules."""

_disabled: frozenset[str] = frozenset()
_matched: set[str] | None = None
_caches: list[_Cached] = []


@dataclass(frozen=True, kw_only=True)
class RuleRow:
    """One row of a table, as the file has it."""

    id: str
    language: str
    """`en` or `zh`; `any` where the row is for both."""
    table: str
    """The file's path inside the package, without its ending: `facts/english/couples`."""
    pattern: str
    """Pieces of the file are put in; pieces that code defines are not. Empty where a row is known
    by its words."""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """What the row means when its pattern fits: the table's own columns."""
    examples: tuple[Mapping[str, Any], ...] = ()
    """Texts that the rule must understand, each with what it must tell."""
    counter_examples: tuple[str, ...] = ()
    """Texts on which the rule must be silent."""


def read_rules(table: str) -> tuple[RuleRow, ...]:
    """Read one table in its order. Raises ValueError where two rows share an id."""
    document, pieces = _read(table), read_pieces(table)
    rows = tuple(
        _row(dict(written), document, table, pieces) for written in document.get("rule", ())
    )
    if len({row.id for row in rows}) < len(rows):
        raise ValueError(f"{table}: two rules have one id")
    return rows


@cache
def read_words(table: str) -> Mapping[str, str]:
    """Read lists of words as patterns: any of the words, the longest first."""
    return {name: join_words(words) for name, words in _read(table)["words"].items()}


def join_words(words: Iterable[str]) -> str:
    """Join words to a pattern of any of them; a hyphen or nothing may stand for a space."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[ -]?") for word in longest_first)


def read_pieces(table: str) -> dict[str, str]:
    """Read the pieces that the rows of a table may use, those of other tables among them."""
    document = _read(table)
    pieces: dict[str, str] = {}
    for words in document.get("words_from", ()):
        pieces |= read_words(words)
    for lender in (*map(_read, document.get("pieces_from", ())), document):
        pieces |= {name: _join(piece) for name, piece in lender.get("pieces", {}).items()}
    return pieces


def put_pieces_in(pattern: str, pieces: Mapping[str, str]) -> str:
    """Replace each `<NAME>` of these pieces, also inside a piece; leave other names alone."""
    while True:
        replaced = _PIECE.sub(lambda name: pieces.get(name[1], name[0]), pattern)
        if replaced == pattern:
            return pattern
        pattern = replaced


@cache
def all_rules() -> tuple[RuleRow, ...]:
    """Read the rows of all tables of the package, and keep them."""
    tables = sorted(_ROOT.rglob("*.toml"))
    return tuple(
        row
        for path in tables
        for row in read_rules(path.relative_to(_ROOT).with_suffix("").as_posix())
    )


def is_enabled(rule_id: str) -> bool:
    """Tell whether a rule or a step is switched on."""
    return rule_id not in _disabled


def note_match(rule_id: str) -> None:
    """Note that a rule or a step had something to do, where somebody records that."""
    if _matched is not None:
        _matched.add(rule_id)


@contextmanager
def record_matches() -> Iterator[set[str]]:
    """Collect the ids of rules and steps that match in this process while the block runs.

    What was kept by `forget_when_switched` is forgotten: a rule that is not tried cannot match.
    """
    global _matched  # noqa: PLW0603 - one record for the process, like the switch
    _switch(_disabled)
    before, _matched = _matched, set()
    try:
        yield _matched
    finally:
        _matched = before


@contextmanager
def disabled(ids: Iterable[str]) -> Iterator[None]:
    """Switch rules off in this process while the block runs; for measuring what a rule is worth.

    The ids are those of rules or of `STEPS`; raises ValueError for any other. Blocks may be
    nested; what was kept by `forget_when_switched` is forgotten. Not for concurrent use: the
    switch is one for all threads.
    """
    ids = frozenset(ids)
    if unknown := ids - _known_ids():
        raise ValueError(f"no such rule: {', '.join(sorted(unknown))}")
    before = _disabled
    _switch(before | ids)
    try:
        yield
    finally:
        _switch(before)


def forget_when_switched(cached: CachedT) -> CachedT:
    """Decorate a cached function whose results depend on rules: a switch empties its cache."""
    _caches.append(cached)
    return cached


def _switch(ids: frozenset[str]) -> None:
    global _disabled  # noqa: PLW0603 - one switch for the process is what it is for
    _disabled = ids
    for cached in _caches:
        cached.cache_clear()


@cache
def _known_ids() -> frozenset[str]:
    return frozenset((*STEPS, *(row.id for row in all_rules())))


@lru_cache(maxsize=8)
def _read(table: str) -> dict[str, Any]:
    """Read a file; kept for a short while, for its pieces are asked for beside its rows."""
    return tomllib.loads((_ROOT / f"{table}.toml").read_text("utf-8"))


def _row(
    written: dict[str, Any], document: Mapping[str, Any], table: str, pieces: Mapping[str, str]
) -> RuleRow:
    return RuleRow(
        id=written.pop("id"),
        language=written.pop("language", document["language"]),
        table=table,
        pattern=put_pieces_in(_pop_pattern(written, document.get("frame", "<ROW>")), pieces),
        examples=tuple(written.pop("examples", ())),
        counter_examples=tuple(written.pop("counter_examples", ())),
        columns=written,
    )


def _pop_pattern(written: dict[str, Any], frame: str) -> str:
    if alternatives := written.pop("any_of", None):
        pattern = "|".join(map(_join, alternatives))
    else:
        pattern = _join(written.pop("pattern", ""))
    return frame.replace("<ROW>", pattern)


def _join(pattern: str | list[str]) -> str:
    return pattern if isinstance(pattern, str) else "".join(pattern)
