"""An entity: one name of a namespace, the ways it is written, and what names it."""

from collections import Counter
from collections.abc import Iterable

from palimpsest.domain.identifiers import derive
from palimpsest.domain.scope import Namespace
from palimpsest.model.entity import MOST_MENTIONS, Mention


def entity_key(namespace: Namespace, key: str) -> str:
    """Of the name with this key in one namespace; all entities of that name have it."""
    return derive("entity name", namespace.user_id, namespace.agent_id, key)


def entity_id(key: str, number: int) -> str:
    """Of the entity that was the so-manieth of its name."""
    return derive("entity", key, str(number))


def mentioned(mentions: Iterable[Mention], mention: Mention) -> tuple[Mention, ...]:
    """These with the memory's mention as it is now."""
    kept = [*(one for one in mentions if one.memory_id != mention.memory_id), mention]
    written = Counter(one.written for one in kept)
    for one in list(kept):
        if len(kept) > MOST_MENTIONS and written[one.written] > 1:
            kept.remove(one)
            written[one.written] -= 1
    return tuple(kept)
