"""Patterns of RE2 as `re` understands them."""

import pytest

from palimpsest_lab.vendor_patterns.__main__ import select_patterns
from palimpsest_lab.vendor_patterns.python_patterns import convert_pattern
from palimpsest_lab.vendor_patterns.upstream_rules import UpstreamRules, read_sources

VALUE_ENDS = r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)"""


@pytest.mark.parametrize(
    ("written", "converted"),
    [
        (r"dp\.pt\.(?i)[a-z0-9]{43}", r"dp\.pt\.(?i:[a-z0-9]{43})"),
        (r"(?i)\b(csk-[a-z0-9]{48})" + VALUE_ENDS, r"(?i:\b(csk-[a-z0-9]{48}))"),
        (r"\b(x-(?i)[a-z]{3})y", r"\b(x-(?i:[a-z]{3}))y"),
        (r"a[+*]+b{20,}c*", r"a[+*]{1,256}b{20,220}c{0,256}"),
        (r"(?P<name>[[:alnum:]]{4})\z", r"(?:[A-Za-z0-9]{4})\Z"),
        (r"\{[^{]+x[\s\S]{9}", None),
        (r"(?:.|[\n\r]){0,32}x", None),
    ],
)
def test_a_pattern_is_bounded_and_keeps_its_meaning(written: str, converted: str | None) -> None:
    assert convert_pattern(written) == converted


def test_ids_and_rules_of_words_alone_are_left_out() -> None:
    rules = (
        {"id": "acme-token", "regex": r"acme_\w{9}", "keywords": ["acme_"]},
        {"id": "acme-client-id", "regex": r"acmeid_\w{9}", "keywords": ["acmeid_"]},
        {"id": "generic-api-key", "regex": r"key=\w{9}", "keywords": ["key"]},
        {"id": "acme-part", "regex": r"acmept_\w{9}", "keywords": ["acmept"], "skipReport": True},
        {"id": "acme-file", "path": "p12"},
    )
    selected = list(select_patterns(UpstreamRules("1", rules, "MIT License")))
    assert [(row["id"], row["kind"], row["pattern"]) for row in selected] == [
        ("acme-token", "token", r"acme_\w{9}")
    ]


def test_rules_under_another_licence_are_refused() -> None:
    base = "https://example.test/betterleaks/betterleaks/1"
    with pytest.raises(ValueError, match="MIT"):
        read_sources({f"{base}/config/betterleaks.toml": "rules = []", f"{base}/LICENSE": "mine"})
