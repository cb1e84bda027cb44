"""Keys of vendors that no list has: values made by a machine, by their prefix or by their name.

A value with a prefix, as vendors give their keys (`acme_live_…`), speaks for itself if it is long.
Any other is a secret if the nearest name around it is a secret's and not another number's.
"""

import re
from collections.abc import Iterator, Sequence

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.redaction.entropy import measure_entropy

_NAMES = read_phrases("redaction/key_names")
_SECRET = _NAMES["secret"]
_OTHER = _NAMES["other"]
_ID_PREFIX = _NAMES["id_prefix"]
_TOLD_BEHIND = _NAMES["told_behind"]

_CANDIDATE = re.compile(r"(?<![A-Za-z0-9_~+/.%@#&?\\-])[A-Za-z0-9][A-Za-z0-9_~+/.:-]{11,}+={0,2}")
_TRAILING = ".:/~-"
_BETWEEN = re.compile(r"[_./:-]")
_BEHIND_PREFIX = "_-.:"
"""Marks behind a prefix. A slash alone is not enough: blocks of base64 are full of them."""
_NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]+")
_DIGIT_BESIDE_LETTER = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
_FILE_OR_ADDRESS = re.compile(r"://|^www\.|\.[A-Za-z]{2,5}[0-9]?$")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_QUERY = re.compile(r"[?&][\w.-]{1,32}=$")
"""Addresses of pictures and pages are full of ids; only a named value in one is a key."""
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}")
_HINTS = (
    *("key", "token", "secret", "cred", "cookie", "bearer", "pass", "pw", "licen", "sk", "ak"),
    *("密", "秘", "钥", "令", "凭证", "权码", "活码"),
)
"""Parts of which every name has one: they are found at a twentieth of the cost."""
_ANNOUNCES = re.compile(
    r"(?:[:：]|below|follows|如下|密钥|令牌|凭证|口令"
    r"|\b(?:my|the|our|your|his|her|new)\b[^\n]{0,32}\b(?:key|token|secret))$",
    re.IGNORECASE,
)
_BULLETS = " \t\"'`*•-–>0123456789.)"
_NAMED_WITHIN = 80
_NAMED_BEHIND = 48
_CLOSE = 12
_LONGEST = 512
_LONGEST_WITH_PREFIX = 200
_LEAST_ENTROPY = 2.8
"""The least entropy in bits per character; sixteen random hexadecimal digits have 3.3."""


def find_unlisted_keys(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    for match in _CANDIDATE.finditer(text):
        token = match.group()[:_LONGEST].rstrip(_TRAILING)
        if _is_plain(token):
            continue
        start, end = match.span()
        if len(token) < _LONGEST:
            end = start + len(token)
        parts = _BETWEEN.split(token)
        if len(parts) > 1 and _ID_PREFIX.search(parts[0]):
            continue
        in_query = _QUERY.search(text, max(0, start - _NAMED_WITHIN), start)
        if not in_query and has_vendor_prefix(token, parts):
            if not _OTHER.search(text[max(0, start - _CLOSE) : start]):
                yield start, end
        elif is_called_secret(text, start, end) and looks_generated(token):
            yield start, end


def has_vendor_prefix(token: str, parts: Sequence[str]) -> bool:
    """Tell whether a long random part follows a prefix."""
    if len(parts) < 2 or len(token) > _LONGEST_WITH_PREFIX or "+" in token:
        return False
    if not _PREFIX.fullmatch(parts[0]) or token[len(parts[0])] not in _BEHIND_PREFIX:
        return False
    return any(map(_is_long_random, parts[1:]))


def looks_generated(token: str) -> bool:
    """Tell whether digits and letters alternate within parts, as in no word, date or version."""
    parts = [part for part in _NOT_ALPHANUMERIC.split(token) if part]
    changes = sum(map(_count_changes, parts))
    longest = max(map(len, parts))
    is_mixed = changes >= 4 or (changes >= 3 and longest >= 10)
    return is_mixed and measure_entropy(token) >= _LEAST_ENTROPY


def is_called_secret(text: str, start: int, end: int) -> bool:
    """Tell whether the nearest name before a value, or else one behind it, is a secret's."""
    before = _read_before(text, start)
    if _may_name_secret(before):
        secret, other = _last_end(_SECRET.finditer(before)), _last_end(_OTHER.finditer(before))
        if secret or other:
            return secret > other
    behind = text[end : end + _NAMED_BEHIND].split("\n", 1)[0]
    if _may_name_secret(behind) and (told := _TOLD_BEHIND.search(behind)):
        said = behind[told.end() :]
        return _SECRET.search(said) is not None and _OTHER.search(said) is None
    return False


def _read_before(text: str, start: int) -> str:
    """Return what stands before a value in its line, or the line before if that announces it."""
    above, _, line = text[max(0, start - _NAMED_WITHIN) : start].rpartition("\n")
    if line.strip(_BULLETS):
        return line
    announcement = above.rstrip().rpartition("\n")[2]
    return announcement if _ANNOUNCES.search(announcement) else line


def _may_name_secret(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def _is_plain(token: str) -> bool:
    has_both = not (token.isalpha() or token.isdigit())
    return len(token) < 12 or not has_both or _FILE_OR_ADDRESS.search(token) is not None


def _is_long_random(part: str) -> bool:
    if _HEX.fullmatch(part):
        return len(part) >= 32 and measure_entropy(part) >= _LEAST_ENTROPY
    changes = _count_changes(part)
    is_mixed = not (part.islower() or part.isupper())
    if is_mixed and len(part) >= 20 and changes >= 3:
        return True
    if len(part) >= 24 and changes >= 5:
        return True
    return len(part) >= 40 and measure_entropy(part) >= 3.5


def _count_changes(part: str) -> int:
    return len(_DIGIT_BESIDE_LETTER.findall(part))


def _last_end(matches: Iterator[re.Match[str]]) -> int:
    return max((match.end() for match in matches), default=0)
