"""Find the value that a statement replaces without naming it. Pure.

As in 医生给我换成了缬沙坦, "they switched me to ramipril", "the cat's name is Tofu now".

The replaced value follows from all statements told by then: a value of the same sort, else one for
the same use, else the only one. Among several values the replaced one is unknown. A new name
replaces the name that is spoken of beside it, else the only one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from palimpsest.model.memory import Memory
from palimpsest_language.attributes.attribute_names import (
    NAME_ATTRIBUTES,
    canonical_attribute,
    has_alternating_values,
)
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
_RENAMED = re.compile(
    r"(?:改|换)了?个?[小大新]?名|名字?(?:正式|已经|也|都)*(?:改|换)|(?:现在|以后)改?(?:[小大]名|名字)?叫"
    r"|\brenam(?:ed|ing)\b|\bname(?:['’]s| is)\b.{1,30}\bnow\b|\bchanged \w+ name\b|\bgoes by\b"
    r"|\bnow (?:called|named)\b|\b(?:called|named) \w+,? now\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?![一两二三四五几是在有对])[\u4e00-\u9fff]{1,6}|[^\W\d_][\w’'-]*")
"""Form of a name, among values such as "two cats" and 是医生."""
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
            find = _renamed_from if _is_named(statement) else _replaced_by_medicine
            if (replaced := find(statement, others)) is not None:
                found[id(statement)] = replaced
        held = [other for other in held if other not in (value, replaced)]
        if not statement.ended:
            held.append(value)
    return found


def is_implicit_replacement(stated: Memory) -> bool:
    """Return whether the statement says that its value replaces a value that it does not name."""
    if stated.ended or not stated.value or not has_alternating_values(stated.attribute or ""):
        return False
    if _is_named(stated):
        return any(_RENAMED.search(piece.quote) for piece in stated.evidence)
    return any(
        _TO.search(piece.quote, 0, at.start())
        for piece in stated.evidence
        for at in re.finditer(re.escape(stated.value), piece.quote, re.IGNORECASE)
    )


def _is_named(stated: Memory) -> bool:
    return canonical_attribute(stated.attribute or "") in NAME_ATTRIBUTES


def _renamed_from(stated: Memory, held: Sequence[str]) -> str | None:
    """Return the former name: the one that the words hold as well, else the only one."""
    words = " ".join((stated.content, *(piece.quote for piece in stated.evidence))).casefold()
    names = [value for value in held if _NAME.fullmatch(value)]
    spoken_of = [name for name in names if name in words]
    if len(spoken_of) == 1:
        return spoken_of[0]
    return names[0] if len(names) == 1 else None


def _replaced_by_medicine(stated: Memory, held: Sequence[str]) -> str | None:
    return _replaced_by(stated_value(stated), held)


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
