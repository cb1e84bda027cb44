"""An entity: one name in a namespace, its spellings, and the memories that name it."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Relation
from palimpsest.model.scope import Namespace
from palimpsest.model.value_types import Value


class EntityKind(StrEnum):
    """Kinds of entities. Two names of different kinds are never one entity."""

    PERSON = "person"
    PET = "pet"
    ORGANISATION = "organisation"
    PLACE = "place"
    TECHNOLOGY = "technology"


MOST_MENTIONS = 32
"""The most mentions kept: the latest, and one for each spelling. Every change set that touches the
entity holds them twice."""


class EntityMention(Value):
    """A memory that names the entity: the spelling, and the other entities it names, for links."""

    memory_id: str
    written: str
    """The spelling of the name in that memory."""
    beside: tuple[str, ...] = ()
    """Ids of other entities that the memory names."""


class Entity(Value):
    """An entity. Its name, aliases and links follow from its mentions; undoing a mention undoes them."""

    id: str
    namespace: Namespace
    key: str
    """The key of its name; entities of equal names have the same key."""
    kind: EntityKind | None = None
    """The kind of the entity; null if no memory tells it."""
    mentions: tuple[EntityMention, ...] = ()
    epoch: int
    version: int = 1

    @property
    def name(self) -> str:
        """The longest spelling; among equals the one with the most capitals."""
        return min(self._written, key=lambda each: (-len(each), each), default="")

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other spellings."""
        return tuple(sorted(self._written - {self.name}))

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mention.memory_id for mention in self.mentions))

    @property
    def links(self) -> dict[str, float]:
        """The entities named beside it, each with a strength of 0 to 1."""
        named = Counter(other for mention in self.mentions for other in mention.beside)
        return {other: link_strength(times) for other, times in sorted(named.items())}

    @property
    def _written(self) -> set[str]:
        return {mention.written for mention in self.mentions}


def link_strength(times: int) -> float:
    """Return the strength of a link that `times` mentions support, 0 to 1.

    The first gives a relation's default strength, and each further one halves the distance to 1: 1
    - (1 - .5)^n.
    """
    default: float = Relation.model_fields["strength"].default
    return 1.0 - (1.0 - default) ** times


def entity_id(key: str, number: int) -> str:
    """Derive the id of the entity with this number among those of its name."""
    return derive_id("entity", key, str(number))


def entity_key(namespace: Namespace, key: str) -> str:
    """Derive the key of a name in one namespace; all entities of that name share it."""
    return derive_id("entity name", namespace.user_id, namespace.agent_id, key)


def replace_mention(
    mentions: Iterable[EntityMention], mention: EntityMention
) -> tuple[EntityMention, ...]:
    """Return the mentions with this one in place of its memory's earlier one."""
    kept = [*(known for known in mentions if known.memory_id != mention.memory_id), mention]
    written = Counter(known.written for known in kept)
    for repeated in list(kept):
        if len(kept) > MOST_MENTIONS and written[repeated.written] > 1:
            kept.remove(repeated)
            written[repeated.written] -= 1
    return tuple(kept)
