"""What is chosen again and again."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.domain.compression.distillate import common_language
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Memory
from palimpsest.domain.reflection.finding import Finding
from palimpsest.domain.reflection.topics import by_name
from palimpsest.domain.user import Language
from palimpsest.model.proposed_reflection import LEAST_BASES

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


def repeated_choices(memories: Sequence[Memory]) -> Iterator[Finding]:
    """At least three decisions for the same thing, made on different occasions."""
    decisions = [
        memory
        for memory in memories
        if memory.kind is Kind.DECISION and not _AGAINST.search(memory.content)
    ]
    for plain, name, chosen in by_name(decisions):
        occasions = {(memory.scope.project_id, memory.occurred_at.date()) for memory in chosen}
        if len(occasions) >= LEAST_BASES:
            content = _SENTENCES[common_language(chosen)].format(name=name)
            yield Finding(RULE, plain, Kind.PATTERN, content, tuple(chosen))
