"""The thing that a statement takes or refuses: “likes coffee”, “no coffee any more”.

A refusal of a whole sort (meat) opposes each thing of that sort (steak), but not the reverse.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.attributes.attribute_names import canonical_attribute, canonical_value
from palimpsest_language.rule_tables import (
    forget_when_switched,
    is_enabled,
    note_match,
    read_rules,
)

_TABLES = {"en": "stances/english", "zh": "stances/chinese"}
_FOR = frozenset({"likes", "hobbies"})
_AGAINST = frozenset({"dislikes", "avoids", "allergies"})
_DIET = "diet"

_SORTS = {
    "meat": (
        "肉 肉类 荤 荤菜 素 素食 素食者 素食主义者 纯素 全素 meat vegetarian vegan",
        "牛排 牛肉 猪肉 羊肉 鸡肉 烤鸭 排骨 火腿 培根 香肠 肉 steak beef pork chicken bacon ham",
    ),
    "seafood": ("海鲜 seafood", "虾 螃蟹 生蚝 龙虾 prawns shrimp crab oysters lobster mussels"),
    "spicy food": ("辣 辣的 辣味 spicy_food chili chilli", "麻辣 辣条 辣椒 麻辣烫 麻辣火锅 辣"),
    "alcohol": ("酒 酒精 alcohol", "啤酒 红酒 白酒 葡萄酒 beer wine whisky whiskey vodka gin"),
    "dairy": ("奶制品 乳制品 dairy", "牛奶 奶酪 酸奶 芝士 milk cheese yoghurt yogurt butter"),
}
"""A sort by its names, with things of that sort."""
_NAMES = {
    name.replace("_", " "): sort for sort, (names, _) in _SORTS.items() for name in names.split()
}
_MEMBERS = {member: sort for sort, (_, members) in _SORTS.items() for member in members.split()}
_TAKEN = re.compile(r"^(?:[吃喝去玩看听用做逛打抽碰]|(?:going to|eating|drinking|the|an?) )+")


class Stance(NamedTuple):
    is_for: bool
    topics: frozenset[str]
    """Names of the thing, and of the sort that a refusal may name."""


@dataclass(frozen=True)
class _Row:
    id: str
    pattern: re.Pattern[str]
    is_for: bool


@forget_when_switched
@lru_cache(maxsize=4096)
def read_stance(content: str, attribute: str | None, value: str | None) -> Stance | None:
    """Read what a statement takes or refuses; None if it does neither, or says more."""
    name = canonical_attribute(attribute or "")
    if value and name in _FOR | _AGAINST | {_DIET}:
        return _stance(value, is_for=name in _FOR) if name != _DIET or _is_sort(value) else None
    if attribute is not None:
        return None
    found = find_stance_rule(content)
    return None if found is None else _stance(found.thing, is_for=found.is_for)


class FoundStance(NamedTuple):
    rule: str
    thing: str
    is_for: bool


def find_stance_rule(content: str) -> FoundStance | None:
    """Return the first row that matches the content, and the thing that it names."""
    for row in _rows("zh" if has_chinese(content) else "en"):
        match = row.pattern.match(content.strip()) if is_enabled(row.id) else None
        if match is not None:
            note_match(row.id)
            caught = match.groupdict()
            return FoundStance(row.id, caught["thing"] or caught.get("no") or "", row.is_for)
    return None


def are_opposed(one: Stance | None, other: Stance | None) -> bool:
    """Tell whether one statement takes what the other refuses."""
    if one is None or other is None or one.is_for == other.is_for:
        return False
    return not one.topics.isdisjoint(other.topics)


def _stance(thing: str, *, is_for: bool) -> Stance:
    plain = _plain(thing)
    sort = _MEMBERS.get(plain) or _NAMES.get(plain) if is_for else _NAMES.get(plain)
    return Stance(is_for, frozenset({plain, f"sort of {sort}"} if sort else {plain}))


def _is_sort(value: str) -> bool:
    return _plain(value) in _NAMES


def _plain(thing: str) -> str:
    name = canonical_value(thing)
    return _TAKEN.sub("", name) or name


@cache
def _rows(language: str) -> Sequence[_Row]:
    return tuple(
        _Row(row.id, re.compile(row.pattern, re.IGNORECASE), row.columns["takes"])
        for row in read_rules(_TABLES[language])
    )
