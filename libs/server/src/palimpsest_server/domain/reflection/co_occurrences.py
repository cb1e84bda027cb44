"""Find things that are mentioned together again and again."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from palimpsest.model.distillate import LEAST_BASES
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory
from palimpsest.model.user import Language
from palimpsest_server.domain.compression.distillation import common_language
from palimpsest_server.domain.reflection.finding import ReflectionFinding
from palimpsest_server.domain.reflection.memory_names import collect_names

RULE = "together"
MOST_NAMES = 8
"""A memory that lists more names does not join any two of them in particular."""

_SENTENCES = {
    Language.ENGLISH: "{one} and {other} often come up together",
    Language.CHINESE: "{one}和{other}经常一起出现",
}


def find_co_occurrences(memories: Sequence[Memory]) -> Iterator[ReflectionFinding]:
    """Yield two names that at least three memories mention together."""
    joining: dict[tuple[str, str], list[Memory]] = {}
    written: dict[str, str] = {}
    for memory in memories:
        own = collect_names(memory)
        if len(own) > MOST_NAMES:
            continue
        for plain, name in own.items():
            written.setdefault(plain, name)
        for pair in combinations(sorted(own), 2):
            joining.setdefault(pair, []).append(memory)
    for (one, other), bases in sorted(joining.items()):
        if len(bases) >= LEAST_BASES and one not in other and other not in one:
            content = _SENTENCES[common_language(bases)].format(
                one=written[one], other=written[other]
            )
            yield ReflectionFinding(RULE, f"{one} {other}", Kind.INSIGHT, content, tuple(bases))
