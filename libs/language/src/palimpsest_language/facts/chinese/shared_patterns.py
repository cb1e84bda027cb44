"""Shared pieces of the Chinese patterns, and checks of what was caught."""

import re

from palimpsest_language.attributes.diets import choose_diet_attribute
from palimpsest_language.attributes.display_settings import SETTINGS, find_setting_attribute
from palimpsest_language.attributes.relations import RELATION_IN_ENGLISH
from palimpsest_language.attributes.technologies import (
    find_leading_technology,
    find_preference_attribute,
    find_technology_kind,
)
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.rule_tables import put_pieces_in, read_pieces
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern
from palimpsest_language.wording.statement_text import tidy_chinese, to_third_person_chinese

MAXIMUM_VALUE_CHARACTERS = 80


_SHARED = {**read_pieces("facts/chinese/shared_pieces"), "SETTINGS": SETTINGS}
PIECES = {name: put_pieces_in(piece, _SHARED) for name, piece in _SHARED.items()}


def compile_chinese(pattern: str) -> LazyPattern:
    """A pattern with `<PIECE>`s, whatever the case; a space stands for any spacing."""
    pattern = pattern.replace(" ", r"\s*")
    for name, piece in PIECES.items():
        pattern = pattern.replace(f"<{name}>", piece)
    return LazyPattern(pattern, re.IGNORECASE)


_SAYS_NOTHING = re.compile(
    r"^(?:你|您|他|她|它|咱|这样?|那样?|这个|那个|这里|那里|这么|那么|一下|一起|什么都?|啥|谁|哪"
    r"|怎么|好了?|的|了|"
    r"不了|不起|上了|来着)$|什么|怎么|哪[个里儿些]|为何|多少|几点|^(?:你|您|他|她|它)(?:们)?$|^"
    r"(?:听你|和你|跟你|看你)"
)


def refine_plain(groups: MatchGroups) -> MatchGroups | None:
    """Tidies every group; refuses a value that only points at something, or asks."""
    tidied = {name: tidy_chinese(text) for name, text in groups.items()}
    value = tidied["value"]
    if not value or len(value) > MAXIMUM_VALUE_CHARACTERS or _SAYS_NOTHING.search(value):
        return None
    return tidied


def refine_diet(groups: MatchGroups) -> MatchGroups | None:
    """A way of eating, or what is left out."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "attribute": choose_diet_attribute(tidied["value"])}


def refine_deed(groups: MatchGroups) -> MatchGroups | None:
    """A value with a verb in it, said of the speaker instead of by them."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": to_third_person_chinese(tidied["value"])}


def refine_happening(groups: MatchGroups) -> MatchGroups | None:
    """A deed that keeps its 了: it says that it is done."""
    done = groups["value"].rstrip(" ,，。！!~～").endswith("了")
    told = refine_deed(groups)
    return told and {**told, "value": told["value"] + ("了" if done else "")}


def refine_technology(groups: MatchGroups) -> MatchGroups | None:
    """A known technology, whatever is said after it."""
    tidied = refine_plain(groups)
    name = find_leading_technology(tidied["value"]) if tidied else None
    return {**tidied, "value": name} if tidied and name else None


def refine_preferred_technology(groups: MatchGroups) -> MatchGroups | None:
    """A known technology, under the attribute of its kind."""
    tidied = refine_technology(groups)
    if tidied is None:
        return None
    return {
        **tidied,
        "attribute": find_preference_attribute(tidied["value"]) or "tools",
        "much": "更" if "much" in tidied else "",
    }


def refine_replaced_technology(groups: MatchGroups) -> MatchGroups | None:
    """A new choice in place of an old one: both known, or at least one of them."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    replaced = tidied.get("replaced", "")
    known = find_leading_technology(tidied["value"])
    if known is None and find_technology_kind(replaced) is None:
        return None
    value = known or tidied["value"]
    attribute = find_preference_attribute(value) or find_preference_attribute(replaced) or "tools"
    return {**tidied, "value": value, "attribute": attribute}


def refine_setting(groups: MatchGroups) -> MatchGroups | None:
    """One way of setting something, under the attribute of what is set."""
    tidied = refine_plain(groups)
    attribute = find_setting_attribute(tidied["value"]) if tidied else None
    return {**tidied, "attribute": attribute} if tidied and attribute else None


_NO_EMPLOYER = re.compile(
    r"^(?:考虑|犹豫|找|家里?|这|那|外面|公司|单位|办公室|一|晚上|白天|夜里|学校|线上|国外|外地"
    r"|床上|路上|咖啡馆|图书馆)"
)


def refine_employer(groups: MatchGroups) -> MatchGroups | None:
    """Return where somebody works.

    A place is the city of their work and not their home; anything else is their employer.
    """
    tidied = refine_plain(groups)
    if tidied is None or _NO_EMPLOYER.search(tidied["value"]):
        return None
    return {**tidied, "attribute": "work_city" if is_known_place(tidied["value"]) else "employer"}


_NO_PLACE = re.compile(
    r"^(?:家里?|这|那|一|外面|楼|宿舍|酒店|宾馆|医院|学校|公司|隔壁|附近|哪|朋友|爸|妈|父母|新"
    r"|二楼|三楼|会议室|群|后面|前面|下)"
)


def refine_place(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None or _NO_PLACE.search(tidied["value"]) or find_technology_kind(tidied["value"]):
        return None
    return tidied


def refine_known_place(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    return tidied if tidied and is_known_place(tidied["value"]) else None


def refine_date(groups: MatchGroups) -> MatchGroups | None:
    """A value that names a day."""
    tidied = refine_plain(groups)
    return tidied if tidied and re.search(r"[\d一二三四五六七八九十]", tidied["value"]) else None


def refine_favourite(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    return tidied and {**tidied, "attribute": f"favorite_{tidied['thing']}"}


def refine_relative(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_deed(groups)
    if tidied is None:
        return None
    relation = tidied["relation"]
    return {**tidied, "attribute": RELATION_IN_ENGLISH.get(relation, relation)}
