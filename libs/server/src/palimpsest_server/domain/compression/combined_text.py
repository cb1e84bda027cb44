"""Several statements told as one, in the language of most of them, without inventing a word."""

from collections.abc import Sequence

from palimpsest.model.bilingual_text import display_width, shorten_to_summary
from palimpsest.model.memory import Memory
from palimpsest.model.user import Language
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.compression.distillation import common_language
from palimpsest_server.domain.memory_dates import find_meant_times, write_memory_dates

WIDEST = 600
"""300 Chinese characters: what is told together is still to be read at a glance."""

_BETWEEN = {Language.CHINESE: "；", Language.ENGLISH: "; "}
_OVER_TIME = {Language.CHINESE: "一段时间以来：", Language.ENGLISH: "Over time: "}
_MORE = {Language.CHINESE: "；另有 {} 条", Language.ENGLISH: "; and {} more"}


def combine_statements(
    memories: Sequence[Memory], *, time_zone: str, over_time: bool = False
) -> str:
    """Each statement once, the most important ones where not all fit, in the order of time.

    Relative times stand beside their dates, which are days of that zone: nothing else keeps them.
    """
    language = common_language(memories)
    distinct = list(
        {
            (extract_gist(memory.content), find_meant_times(memory)): memory for memory in memories
        }.values()
    )
    chosen = _that_fit(distinct, time_zone)
    sentences = [_bare(memory, time_zone) for memory in sorted(chosen, key=_by_time)]
    text = _BETWEEN[language].join(sentences)
    left = len(distinct) - len(chosen)
    return (
        (_OVER_TIME[language] if over_time else "")
        + text
        + (_MORE[language].format(left) if left else "")
    )


def _that_fit(memories: Sequence[Memory], time_zone: str) -> list[Memory]:
    chosen: list[Memory] = []
    room = WIDEST
    for memory in sorted(memories, key=lambda one: (-one.importance, *_by_time(one))):
        needed = display_width(_bare(memory, time_zone)) + 2
        if chosen and needed > room:
            continue
        chosen.append(memory)
        room -= needed
    return chosen


def _bare(memory: Memory, time_zone: str) -> str:
    """Return a memory's content without the full stop; of a long one its beginning."""
    content = " ".join(write_memory_dates(memory, time_zone).split())
    said = content if display_width(content) <= WIDEST // 3 else shorten_to_summary(memory.summary)
    return said.rstrip(".。!！;； ")


def _by_time(memory: Memory) -> tuple[object, ...]:
    return (memory.occurred_at, memory.id)
