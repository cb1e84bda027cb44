"""E-mail addresses."""

import re
from collections.abc import Iterator

_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9._%+-])(?P<name>[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}+)@"
    r"(?P<host>[A-Za-z0-9\u3400-\u9fff][A-Za-z0-9\u3400-\u9fff-]{0,62}+"
    r"(?:\.[A-Za-z0-9-]{1,63}+|\.(?:中国|公司|网络|中國)){1,8}+)"
)
_LAST_LABEL = re.compile(r"\.(?:[A-Za-z]{2,24}|xn--[a-z0-9-]+|[\u3400-\u9fff]+)$")
_FILES = frozenset({"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "py", "md"})
_OF_AN_ADDRESS = re.compile(r"://[^\s/]{0,128}$")
_LONGEST_BEFORE = 132


def find_email_addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each address; the user part of a web address is none."""
    if "@" not in text:
        return
    for match in _ADDRESS.finditer(text):
        start, end = match.span()
        last = _LAST_LABEL.search(match["host"])
        if (
            last is not None
            and last.group()[1:].lower() not in _FILES
            and not (match["name"] == "git" or text.startswith((":", "/"), end))
            and _OF_AN_ADDRESS.search(text, max(0, start - _LONGEST_BEFORE), start) is None
        ):
            yield start, end
