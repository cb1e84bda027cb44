"""Keywords of a statement: the words that identify its plan."""

import re

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.time_expressions.time_removal import remove_time_words

_PHRASES = read_phrases("plans/plan_keywords")
_AT_THE_DENTIST = re.compile(r"[看洗补拔]牙|牙科")
_EATEN = re.compile(r"[法西中日聚]餐")
"""Meals, which match the place where they are eaten."""


def names_moved_plan(text: str, said: UtteranceTime) -> bool:
    """Tell whether the words around a move name the plan: 手术改时间了，改到15号."""
    if _PHRASES["of_it"].search(text):
        return False
    return bool(extract_keywords(_PHRASES["who_moves"].sub(" ", text), said))


def extract_keywords(text: str, said: UtteranceTime) -> frozenset[str]:
    """Return the words with weight: no days, no fillers, no words for moving."""
    for time in find_sentence_times(text, said):
        text = remove_time_words(text, time)
    plain = _PHRASES["fillers"].sub(" ", _EATEN.sub("餐厅", _AT_THE_DENTIST.sub("牙医", text)))
    latin = {word.casefold().removesuffix("s") for word in re.findall(r"[A-Za-z][\w-]{2,}", plain)}
    return frozenset(latin) | frozenset(re.findall(r"(?=([\u3400-\u9fff]{2}))", plain))
