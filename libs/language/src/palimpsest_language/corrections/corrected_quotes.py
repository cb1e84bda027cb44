"""Finds quotes of a statement that a later quote corrected: “at 9:20”, then “sorry, 9:50”. Pure.

A corrected statement contains a word that its first quote lacks and the correcting quote has; the
first quote has a word that the statement lacks.
"""

import re
from collections.abc import Sequence

from palimpsest_language.change_reports import corrects
from palimpsest_language.corrections.slips import find_right_words
from palimpsest_language.plans.plan_amendments import current_plan_text
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_TERM = re.compile(r"[\u3400-\u9fff]|\d+|[^\W\d_\u3400-\u9fff]+")
_PARTICLES = frozenset(
    "的了着过是在和与也都就还又很吗呢吧啊呀嘛哦嗯我你您他她它们这那个把被从到给让用户有"
)
_LATIN_WORDS = """
a an the i me my mine you your he she it its his her our their we they us them user s m re ve ll d
is are am was were be been do does did has have had to of in on at for and or but so that this
just well
"""
_LATIN_PARTICLES = frozenset(_LATIN_WORDS.split())


def find_corrected_quotes(content: str, quotes: Sequence[str]) -> list[int]:
    """Return the positions of quotes that a later quote corrects.

    Args:
        content: the statement that the quotes support.
        quotes: the quotes, in the order in which they were said.
    """
    now = _terms(current_plan_text(content))
    heard = [_terms(quote) for quote in quotes]
    correcting = [
        terms
        for terms, quote in zip(heard, quotes, strict=True)
        if corrects(quote) or find_right_words(quote) is not None
    ]
    if not correcting:
        return []
    corrected: list[int] = []
    for place, terms in enumerate(heard):
        later = frozenset[str]().union(*(each for each in heard[place + 1 :] if each in correcting))
        if terms - now and (now - terms) & later:
            corrected.append(place)
    return corrected


def _terms(text: str) -> frozenset[str]:
    found = _TERM.findall(simplify_characters(text).casefold())
    return frozenset(_plain(term) for term in found) - _PARTICLES - _LATIN_PARTICLES


def _plain(term: str) -> str:
    """Return the stem of a word, so that a verb in the first person equals one in the third."""
    return term.removesuffix("s") if len(term) > 2 and not term.endswith("ss") else term
