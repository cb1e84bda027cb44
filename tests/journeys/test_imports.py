"""An import ends once all of it is handled, also where no recall will ever show its last message."""

import pytest

from palimpsest.events.envelope import Event
from services.host.imports.instance_addresses import InstanceAddresses
from services.host.imports.publish_conversations import ImportedConversation, import_conversations
from services.ingest.receive_events import parse_event
from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]

SAID = {
    "iris": "I moved to Lisbon with my two cats.",
    "ivan": "Please don't remember this: I quarrelled with Karl.",
    "off": "I moved to Oslo with my dog.",
}


def said(user_id: str, text: str) -> Event:
    return parse_event(
        {
            "type": "MessageAdded",
            "occurred_at": "2026-03-02T09:00:00Z",
            "user_id": f"import {user_id}",
            "session_id": "s",
            "message_id": "1",
            "role": "user",
            "text": text,
        }
    )


async def test_an_import_ends_though_some_of_it_is_never_recalled(
    palimpsest: RunningPalimpsest,
) -> None:
    addresses = InstanceAddresses(
        http_url=palimpsest.instance.http_url,
        kafka_bootstrap_servers=palimpsest.instance.kafka_bootstrap_servers,
    )
    async with palimpsest.client() as client:
        await client.set_settings("import off", memory_enabled=False)
    conversations = [
        ImportedConversation(user_id=f"import {user_id}", events=[said(user_id, text)])
        for user_id, text in SAID.items()
    ]
    imported = await import_conversations(addresses, conversations, progress=lambda _: None)
    assert (imported.turns, imported.users, imported.unseen) == (3, 3, 2)
