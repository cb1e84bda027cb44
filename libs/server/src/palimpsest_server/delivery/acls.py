"""Kafka rights of each service, which are exactly those of its rows in the table of topics."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.events.topics import CHANGES, TOPICS, Topic

CHAT_SERVICES = "chat services"
OPERATORS = "operators"
EVERY_STAGE = "every stage"
SERVICES = ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
GROUPS = {
    service: service
    for service in SERVICES
    if any(service in topic.readers and topic is not CHANGES for topic in TOPICS)
}
"""Consumer group of each service that commits offsets. `changes` is read without a group."""


class AclResource(StrEnum):
    TOPIC = "topic"
    GROUP = "group"


@dataclass(frozen=True, kw_only=True)
class Acl:
    """A right: `who` may do these operations on one resource. All names are without a prefix."""

    who: str
    resource: AclResource
    name: str
    operations: tuple[str, ...]


def uses_topic(topic: Topic, service: str) -> bool:
    """Return whether the service reads or writes the topic; a name outside the table uses all topics."""
    if service not in SERVICES:
        return True
    return service in topic.readers or _writes(topic, service)


def list_required_acls() -> Iterator[Acl]:
    """Yield every right that Palimpsest needs on Kafka, with its holder.

    Services create their own topics at the start; chat services create none.
    Operators may read everything, and write to the topics that dead letters are replayed to.
    """
    for who in (*SERVICES, CHAT_SERVICES):
        making = () if who == CHAT_SERVICES else ("Create",)
        for topic in TOPICS:
            does = (
                *(("Read",) if who in topic.readers else ()),
                *(("Write",) if _writes(topic, who) else ()),
            )
            if does:
                yield _on(topic, who, *does, "Describe", *making)
        if who in GROUPS:
            yield Acl(who=who, resource=AclResource.GROUP, name=GROUPS[who], operations=("Read",))
    for topic in TOPICS:
        replays = ("Write",) if any(reader in SERVICES for reader in topic.readers) else ()
        yield _on(topic, OPERATORS, "Read", *replays, "Describe", "Create")
    for group in GROUPS.values():
        yield Acl(who=OPERATORS, resource=AclResource.GROUP, name=group, operations=("Describe",))


def _on(topic: Topic, who: str, *operations: str) -> Acl:
    return Acl(who=who, resource=AclResource.TOPIC, name=topic.name, operations=operations)


def _writes(topic: Topic, who: str) -> bool:
    return who in topic.writers or (who in SERVICES and EVERY_STAGE in topic.writers)


def format_acl_commands(prefix: str = "") -> Iterator[str]:
    """Yield the rights as calls of `kafka-acls.sh`, to be completed with `--bootstrap-server`.

    The holder called "chat services" in the table is the Kafka user `chat-services`.
    """
    together: dict[tuple[str, AclResource, tuple[str, ...]], list[str]] = {}
    for required_acl in list_required_acls():
        together.setdefault(
            (required_acl.who, required_acl.resource, required_acl.operations), []
        ).append(required_acl.name)
    for (who, resource, operations), names in together.items():
        parts = [
            f"kafka-acls.sh --add --allow-principal User:{who.replace(' ', '-')}",
            *(f"--operation {operation}" for operation in operations),
            *(f"--{resource.value} {prefix}{name}" for name in names),
        ]
        yield " ".join(parts)
