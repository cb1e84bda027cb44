"""Rights of each service on Kafka: no more than its row in the table of topics says."""

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
"""Who commits offsets; `changes` is read by each process for itself, without a group."""


class AclResource(StrEnum):
    TOPIC = "topic"
    GROUP = "group"


@dataclass(frozen=True, kw_only=True)
class Acl:
    """`who` may do these operations on one resource; all names are without a prefix."""

    who: str
    resource: AclResource
    name: str
    operations: tuple[str, ...]


def uses_topic(topic: Topic, service: str) -> bool:
    """Tell whether the service reads or writes the topic; one that is in no row has them all."""
    if service not in SERVICES:
        return True
    return service in topic.readers or _writes(topic, service)


def list_required_acls() -> Iterator[Acl]:
    """Every right that Palimpsest needs on Kafka, by who needs it.

    Services make their own topics at the start, chat services make none.
    Operators see everything, and write where a dead letter is replayed to.
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
    """The same as calls of `kafka-acls.sh`, to be completed with `--bootstrap-server`.

    Who is called "chat services" in the table is the user `chat-services` to Kafka.
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
