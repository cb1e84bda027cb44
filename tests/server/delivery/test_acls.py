"""Each service's rights are its rows in the table of topics, and no more."""

from palimpsest.events.topics import CHANGES, CONVERSATIONS, DEAD_LETTERS, TOPICS, WRITES
from palimpsest_server.delivery.acls import (
    SERVICES,
    AclResource,
    format_acl_commands,
    list_required_acls,
    uses_topic,
)
from services.host import service_registry


def allowed(who: str, operation: str) -> set[str]:
    return {
        required_acl.name
        for required_acl in list_required_acls()
        if required_acl.who == who
        and required_acl.resource is AclResource.TOPIC
        and operation in required_acl.operations
    }


def test_the_services_are_those_of_the_host() -> None:
    assert set(SERVICES) == set(service_registry.SERVICES)


def test_reading_and_writing_is_as_the_table_says() -> None:
    for service in SERVICES:
        assert allowed(service, "Read") == {t.name for t in TOPICS if service in t.readers}
        assert allowed(service, "Write") == {
            t.name for t in TOPICS if service in t.writers or t is DEAD_LETTERS
        }


def test_one_service_writes_changes_and_chat_services_make_no_topics() -> None:
    assert [who for who in SERVICES if CHANGES.name in allowed(who, "Write")] == ["consolidator"]
    assert allowed("chat services", "Create") == set()
    assert WRITES.name not in allowed("chat services", "Read") | allowed("chat services", "Write")


def test_groups_are_those_of_the_services_that_commit() -> None:
    groups = {
        required_acl.who: required_acl.name
        for required_acl in list_required_acls()
        if "Read" in required_acl.operations and required_acl.resource is AclResource.GROUP
    }
    assert groups == {service: service for service in service_registry.CONSUMING_SERVICES}


def test_commands_carry_the_prefix_to_every_name() -> None:
    lines = list(format_acl_commands("blue-"))
    assert all(" --topic blue-" in line or " --group blue-" in line for line in lines)
    assert any(
        "User:chat-services" in line and "--topic blue-conversations" in line for line in lines
    )


def test_a_topic_belongs_to_who_reads_or_writes_it() -> None:
    assert uses_topic(CONVERSATIONS, "ingest")
    assert not uses_topic(CONVERSATIONS, "recall")
    assert uses_topic(DEAD_LETTERS, "recall")
    assert uses_topic(CONVERSATIONS, "a tool of an operator")
