"""However an instance ends, its data stays and no child of its does."""

import os
import signal

import pytest

from palimpsest.model.memory import Status
from palimpsest_server.embedded import instance
from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.process_identity import ProcessIdentity
from tests.support.eventually import eventually
from tests.support.journeys.running import RunningPalimpsest, gone
from tests.support.journeys.waiting import until_listed, until_told

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

CELLAR = "Grace keeps her bicycle in the cellar"


async def test_ctrl_c_and_kill_and_a_lost_broker_lose_no_data_and_leave_no_child(
    own_palimpsest: RunningPalimpsest,
) -> None:
    running = await own_palimpsest.start()
    async with running.client() as client:
        await client.remember(CELLAR, user_id="grace")
        await until_told(client, "Where is Grace's bicycle?", "grace", CELLAR)

    # The broker's log is gone with it: the services begin anew, in the same process and at the same port.
    first = children_of(running)["broker"].pid
    url, others = running.instance.http_url, running.children - {first}
    os.kill(first, signal.SIGKILL)
    await eventually(lambda: running_on_another_broker(running, first), within_seconds=100)
    async with running.client() as client:
        answer = await until_told(client, "Where is Grace's bicycle?", "grace", CELLAR)
        assert answer.results[0].content == CELLAR
    # What answered may have been what still stood of the first broker's services.
    await eventually(
        lambda: instance.find_instance(running.directory) is not None, within_seconds=100
    )
    assert running.instance.http_url == url
    assert others < running.children

    orphans = await running.kill_alone()
    assert orphans
    await gone(orphans)

    await running.start()
    async with running.client() as client:
        await until_listed(client, "grace", {CELLAR}, Status.ACTIVE)
    children = running.children
    assert len(children) >= 3
    assert await running.interrupt() == 0
    await gone(children)
    assert running.output.rstrip().endswith("stopped")
    assert instance.find_instance(running.directory) is None


def children_of(running: RunningPalimpsest) -> dict[str, ProcessIdentity]:
    return ChildRecords(running.directory / "children.json").read()


def running_on_another_broker(running: RunningPalimpsest, first: int) -> bool:
    """At the same address, as a rule: clients know it."""
    broker = children_of(running).get("broker")
    up = instance.find_instance(running.directory) is not None
    return up and broker is not None and broker.pid != first
