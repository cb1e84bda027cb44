"""Find the value that a statement replaces without naming it. Pure.

As in 医生给我换成了缬沙坦, "they switched me to ramipril".

The replaced value follows from all statements told by then: a value of the same sort, else one for
the same use, else the only one. Among several values the replaced one is unknown.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from palimpsest.model.memory import Memory
from palimpsest_language.attributes.attribute_names import has_alternating_values
from palimpsest_server.domain.consolidation.memory_statements import (
    replaced_value,
    stated_value,
    statement_sort_key,
)

_TO = re.compile(
    r"(?:[换改][成为到用吃]了?|换了)\s*$"
    r"|\b(?:switch|chang|mov)(?:ed|ing)(?: (?:me|him|her|them|us))?(?: over)? (?:on)?to (?:the |an? )?$",
    re.IGNORECASE,
)
_USES = (
    "地平 洛尔 普利 沙坦 噻嗪 拜新同 络活喜 代文 倍他乐克 降压药 dipine olol pril sartan thiazide",
    "他汀 立普妥 降脂药 statin",
    "双胍 列净 列汀 列酮 格列 胰岛素 降糖药 metformin gliptin gliflozin glitazone gliclazide insulin",
    "拉唑 替丁 prazole tidine",
    "西林 沙星 霉素 头孢 cillin floxacin mycin cef",
    "西汀 曲林 oxetine traline citalopram",
    "他定 替嗪 loratadine cetirizine fenadine",
    "沙班 华法林 格雷 匹林 xaban warfarin grel aspirin",
    "安眠药 唑仑 西泮 褪黑素 azolam azepam zolpidem melatonin",
    "洛芬 芬酸 profen naproxen diclofenac",
)
_SORTS = tuple(tuple(line.split()) for line in _USES)


def find_implicit_replacements(stated: Iterable[Memory]) -> dict[int, str]:
    """Return the replaced value by statement, for statements that do not name it."""
    held: list[str] = []
    found: dict[int, str] = {}
    for statement in sorted(stated, key=_told):
        value, replaced = stated_value(statement), replaced_value(statement)
        if replaced is None and is_implicit_replacement(statement):
            others = [other for other in held if other != value]
            if (replaced := _replaced_by(value, others)) is not None:
                found[id(statement)] = replaced
        held = [other for other in held if other not in (value, replaced)]
        if not statement.ended:
            held.append(value)
    return found


def is_implicit_replacement(stated: Memory) -> bool:
    """Return whether the statement says that its value replaces a value that it does not name."""
    if stated.ended or not stated.value or not has_alternating_values(stated.attribute or ""):
        return False
    return any(
        _TO.search(piece.quote, 0, at.start())
        for piece in stated.evidence
        for at in re.finditer(re.escape(stated.value), piece.quote, re.IGNORECASE)
    )


def _told(stated: Memory) -> tuple[datetime, tuple[object, ...]]:
    said = [piece.said_at or stated.valid_from for piece in stated.evidence]
    return min(said, default=stated.valid_from), statement_sort_key(stated)


def _replaced_by(value: str, held: Sequence[str]) -> str | None:
    alike: tuple[Callable[[str], bool], ...] = (
        lambda other: bool(_sorts(value) & _sorts(other)),
        lambda other: bool(_uses(value) & _uses(other)),
    )
    for is_alike in alike:
        if fitting := [other for other in held if is_alike(other)]:
            return fitting[0] if len(fitting) == 1 else None
    if len(held) == 1 and not (_uses(value) and _uses(held[0])):
        return held[0]
    return None


def _sorts(value: str) -> frozenset[str]:
    return frozenset(sort for sorts in _SORTS for sort in sorts if sort in value)


def _uses(value: str) -> frozenset[int]:
    return frozenset(
        use for use, sorts in enumerate(_SORTS) if any(sort in value for sort in sorts)
    )
