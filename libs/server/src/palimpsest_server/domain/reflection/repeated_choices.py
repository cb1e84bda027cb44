"""Find choices that are made again and again."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.model.distillate import LEAST_BASES
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory
from palimpsest.model.user import Language
from palimpsest_server.domain.compression.distillation import common_language
from palimpsest_server.domain.reflection.finding import ReflectionFinding
from palimpsest_server.domain.reflection.memory_names import group_by_name

RULE = "repeated choices"

_AGAINST = re.compile(
    r"\b(?:not|no|never|against|instead of|avoid|drop|dropped|reject\w*)\b|n't\b"
    r"|不|没|放弃|拒绝|避免|反对",
    re.IGNORECASE,
)
_SENTENCES = {
    Language.ENGLISH: "Tends to choose {name}",
    Language.CHINESE: "倾向于选择{name}",
}


def find_repeated_choices(memories: Sequence[Memory]) -> Iterator[ReflectionFinding]:
    """Yield findings of at least three decisions for the same thing, made on different occasions."""
    decisions = [
        memory
        for memory in memories
        if memory.kind is Kind.DECISION and not _AGAINST.search(memory.content)
    ]
    for plain, name, chosen in group_by_name(decisions):
        occasions = {(memory.scope.project_id, memory.occurred_at.date()) for memory in chosen}
        if len(occasions) >= LEAST_BASES:
            content = _SENTENCES[common_language(chosen)].format(name=name)
            yield ReflectionFinding(RULE, plain, Kind.PATTERN, content, tuple(chosen))
