"""Rewrite the patterns of vendors' keys from a version of the collection.

make vendor-patterns VERSION=3.0.1
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import palimpsest_language.redaction
from palimpsest_lab.vendor_patterns.python_patterns import convert_pattern, is_assigned
from palimpsest_lab.vendor_patterns.upstream_rules import (
    CRATE,
    UpstreamRules,
    fetch_upstream_rules,
)

_FOLDER = Path(palimpsest_language.redaction.__file__).parent / "betterleaks"
_BY_WORDS_ALONE = re.compile(r"generic-|jwt$|curl-|kubernetes-|hashicorp-tf-password|nuget-config-")
"""Values without a vendor's form: the library's own rules know them by what is said of them."""
_NOT_SECRET = re.compile(r"-(?:id|username|(?<!webhook-)url|host|domain|name)(?:\.\d+)?$")
_OF_A_TOKEN = re.compile(r"token|\bpat\b|webhook|cookie|-oauth")
_MOST_ENTROPY = 3.0
"""Bits a character: source code is full of what looks like keys, and sentences are not."""
_ENTROPY = re.compile(r'entropy\(finding\["secret"\]\) <=? ([0-9.]+)')


def write_patterns(upstream: UpstreamRules, version: str) -> None:
    """Replace the data file and the licence beside it."""
    patterns = list(select_patterns(upstream))
    document = {
        "collection": "https://github.com/betterleaks/betterleaks",
        "revision": upstream.revision,
        "package": f"{CRATE} {version}",
        "licence": "MIT",
    }
    head = json.dumps(document, indent=1)[:-2]
    rows = ",\n".join(json.dumps(pattern, ensure_ascii=False) for pattern in patterns)
    (_FOLDER / "patterns.json").write_text(f'{head},\n "patterns": [\n{rows}\n]}}\n', "utf-8")
    (_FOLDER / "LICENSE").write_text(upstream.licence, "utf-8")
    print(f"{len(patterns)} of {len(upstream.rules)} rules")  # noqa: T201


def select_patterns(upstream: UpstreamRules) -> Iterator[Mapping[str, Any]]:
    """Choose the rules that tell a secret by its form, or by its vendor's name and its length."""
    for rule in upstream.rules:
        written = rule.get("regex", "")
        plain = rule.get("skipReport") or _NOT_SECRET.search(rule["id"])
        by_words = _BY_WORDS_ALONE.match(rule["id"])
        if plain or by_words or not written or not rule.get("keywords"):
            continue
        if pattern := convert_pattern(written):
            entropy = _ENTROPY.search(rule.get("filter", ""))
            yield {
                "id": rule["id"],
                "kind": "token" if _OF_A_TOKEN.search(rule["id"]) else "api_key",
                "keywords": rule["keywords"],
                "assigned": is_assigned(written),
                "entropy": min(float(entropy[1]), _MOST_ENTROPY) if entropy else 0.0,
                "pattern": pattern,
            }


if __name__ == "__main__":
    (chosen,) = sys.argv[1:]
    write_patterns(fetch_upstream_rules(chosen), chosen)
