"""Write the documents that this program makes of an invented conversation to `tests/golden/documents`.

`.venv/bin/python -m tests.support.server.migrations.dump_documents`, once for each version of the
database: the file of a version is never made again by a later program.
"""

import asyncio
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from palimpsest.client import Message, PalimpsestClient
from palimpsest.events.conversations import SessionEnded, SessionStarted
from palimpsest.model.turn import Role
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.collections import CHANGE_SETS, COLLECTIONS, LEDGER, SCHEMA
from palimpsest_server.stores.ledger import ModelRequestState
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.embedded_mode import EmbeddedApplication, start_embedded
from tests.support.server.migrations.golden_documents import FOLDER, render_golden_documents

USER, AGENT = "mirela", "planner"

SESSIONS: tuple[tuple[str, str | None, tuple[str, ...]], ...] = (
    (
        "kickoff",
        "orchard",
        (
            "My name is Mirela and I live in Gdansk.",
            "The client is Halvorsen Orchards and the contract is worth 300000 euros.",
            "On Friday we present the first sketch to the client.",
            "My goal is to finish the irrigation plan by June.",
            "We decided to use PostgreSQL for the field data.",
            "I prefer short answers without tables.",
        ),
    ),
    (
        "kickoff-zh",
        "orchard",
        ("客户是北岸果园，合同金额300万。", "我的目标是六月前完成灌溉方案。", "我对花生过敏。"),
    ),
    (
        "home",
        None,
        (
            "I am allergic to walnuts.",
            "Remind me to water the plants on 9 March 2026.",
            "My dog is called Pixel.",
        ),
    ),
)


async def say(client: PalimpsestClient) -> None:
    for number, (session, project, lines) in enumerate(SESSIONS):
        at = datetime(2026, 3, 2 + number, 9, tzinfo=UTC)
        place = {"user_id": USER, "agent_id": AGENT, "project_id": project, "session_id": session}
        people = ("Mirela", AGENT)
        await client.publish([SessionStarted(occurred_at=at, participants=people, **place)])
        messages = [
            Message(
                message_id=f"{session}-{position}",
                role=Role.USER,
                text=text,
                speaker="Mirela",
                agent_id=AGENT,
                occurred_at=at + timedelta(minutes=position),
            )
            for position, text in enumerate(lines)
        ]
        await client.save_conversation(
            messages, user_id=USER, session_id=session, project_id=project
        )
        await client.publish([SessionEnded(occurred_at=at + timedelta(hours=1), **place)])


async def settled(database: MongoDatabase) -> None:
    """Return when every window and summary was answered, and every decision announced."""
    ledger, decided = database.raw(LEDGER.name), database.raw(CHANGE_SETS.name)

    async def left() -> bool:
        done = await ledger.count_documents({"state": ModelRequestState.CONFIRMED.value})
        unfinished = await decided.count_documents({"unfinished": True})
        return done < 2 * len(SESSIONS) or unfinished > 0

    while await left():  # noqa: ASYNC110 - services write there, and announce nothing to this
        await asyncio.sleep(0.5)


async def dump(everything: EmbeddedApplication) -> None:
    client = PalimpsestClient(
        http_url=everything.http_url,
        kafka_bootstrap_servers=everything.settings.kafka_bootstrap_servers,
    )
    async with client:
        await say(client)
        await client.recall("What is the dog called?", user_id=USER, agent_id=AGENT)
        async with asyncio.timeout(120):
            await settled(everything.platform.database)
    database = everything.platform.database
    found = {
        table.name: await database.raw(table.name).find({}).to_list(None)
        for table in COLLECTIONS
        if table is not SCHEMA
    }
    (FOLDER / f"version_{NEWEST_VERSION}.jsonl").write_text(render_golden_documents(found))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            mode=Mode.EMBEDDED, data_directory=Path(folder), http_port=0, log_level="ERROR"
        )
        async with start_embedded(settings, say=print) as everything:
            await dump(everything)


if __name__ == "__main__":
    asyncio.run(main())
