"""Keys and tokens by the forms that their vendors gave them, from the collection of Betterleaks.

`betterleaks/patterns.json` is written by `make vendor-patterns VERSION=…` from a version of the
collection and never by hand. A pattern is tried only around the words that it needs.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from string import ascii_uppercase

from ahocorasick_rs import AhoCorasick, MatchKind

from palimpsest_language.redaction.entropy import measure_entropy
from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.search_windows import merge_windows
from palimpsest_language.redaction.secret_rules import is_random_looking

_BEFORE_KEYWORD = 96
_BEHIND_KEYWORD = 640
"""Characters around a keyword in which a pattern is searched: the longest values are cut there, and
what follows of their word goes with them."""
_SHORTEST_GROUP = 12
_LOWERED = {ord(letter): letter.lower() for letter in ascii_uppercase}
"""Letter for letter: `lower` makes two characters of some. Half a surrogate pair, of an emoji that
was cut, is replaced by one letter too."""
_REST_OF_TOKEN = re.compile(r"[A-Za-z0-9_-]*+=*+")


@dataclass(frozen=True)
class VendorPattern:
    """One form. Its longest group is the secret, or the whole match if no group is long."""

    id: str
    kind: SecretKind
    keywords: tuple[str, ...]
    """Lower-case keywords; every matching text contains one."""
    assigned: bool
    """True if the vendor's name and a sign of assignment must precede: the value has no form of its
    own.
    """
    entropy: float
    """The least entropy of the secret, in bits per character."""
    pattern: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.ASCII)

    def stretches(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Start and end of each secret of this form between two places."""
        for match in self.compiled.finditer(text, start, end):
            first, last = match.span(_longest_group(match))
            secret = text[first:last]
            if measure_entropy(secret) < self.entropy:
                continue
            if not self.assigned or is_random_looking(secret):
                yield first, _end_of_token(text, last)


def find_vendor_keys(text: str) -> Iterator[tuple[SecretKind, int, int]]:
    """Find kind, start and end of each."""
    automaton, patterns_of_keyword = _keywords()
    places: dict[VendorPattern, list[tuple[int, int]]] = defaultdict(list)
    lowered = text.translate(_LOWERED).encode(errors="replace").decode()
    for keyword, start, end in automaton.find_matches_as_indexes(lowered, overlapping=True):
        for pattern in patterns_of_keyword[keyword]:
            places[pattern].append((start, end))
    for pattern, found in places.items():
        for start, end in merge_windows(found, before=_BEFORE_KEYWORD, behind=_BEHIND_KEYWORD):
            for stretch in pattern.stretches(text, start, min(end, len(text))):
                yield pattern.kind, *stretch


def read_vendor_patterns() -> tuple[VendorPattern, ...]:
    """Read the collection in its order."""
    path = files("palimpsest_language") / "redaction" / "betterleaks" / "patterns.json"
    rows = json.loads(path.read_text("utf-8"))["patterns"]
    return tuple(
        VendorPattern(
            **{**row, "kind": SecretKind(row["kind"]), "keywords": tuple(row["keywords"])}
        )
        for row in rows
    )


@cache
def _keywords() -> tuple[AhoCorasick, Mapping[int, tuple[VendorPattern, ...]]]:
    of_keyword: dict[str, list[VendorPattern]] = defaultdict(list)
    for pattern in read_vendor_patterns():
        for keyword in pattern.keywords:
            of_keyword[keyword].append(pattern)
    automaton = AhoCorasick(list(of_keyword), matchkind=MatchKind.Standard)
    return automaton, {
        number: tuple(patterns) for number, patterns in enumerate(of_keyword.values())
    }


def _longest_group(match: re.Match[str]) -> int:
    lengths = [len(found or "") for found in match.groups()]
    longest = max(lengths, default=0)
    return lengths.index(longest) + 1 if longest >= _SHORTEST_GROUP else 0


def _end_of_token(text: str, position: int) -> int:
    rest = _REST_OF_TOKEN.match(text, position)
    return rest.end() if rest else position
