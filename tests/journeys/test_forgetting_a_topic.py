"""A topic is shown with how sure it is what is on it, and then it is gone, and the rest stays."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from palimpsest.api.command_requests import ForgetTopicResult
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded, SessionStarted
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest_server.stores.collections import RECALLS
from tests.support.journeys.erasing import kept_of, until_obeyed
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.telling import NOON
from tests.support.journeys.waiting import until_listed, until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]

USER = "forgets-a-topic"
PARAMS = {"user_id": USER}
SAID = ("I like green tea.", "我喜欢和小金去爬山。", "I like the smell of rain.")


async def told(client: PalimpsestClient) -> None:
    await client.publish(
        [
            *(
                MessageAdded(
                    occurred_at=NOON + timedelta(minutes=number),
                    user_id=USER,
                    session_id="s",
                    message_id=f"m{number}",
                    role=Role.USER,
                    text=text,
                )
                for number, text in enumerate(SAID)
            ),
            SessionStarted(
                occurred_at=NOON, user_id=USER, session_id="walk", topic="和小金爬山的计划"
            ),
            SessionEnded(occurred_at=NOON + timedelta(hours=1), user_id=USER, session_id="s"),
        ]
    )
    await client.remember("小金的生日是五月三号", user_id=USER, entities=("小金",))
    await until_listed(client, USER, {"小金的生日是五月三号"}, Status.ACTIVE)
    await until_recalled(client, "rain", USER, "m2")


async def forget(http: httpx.AsyncClient, **request: Any) -> ForgetTopicResult:
    answer = await http.post("/v1/forget-topic", params=PARAMS, json={"topic": "小金", **request})
    assert answer.status_code == 200, answer.text
    return ForgetTopicResult.model_validate_json(answer.content)


async def test_a_topic_is_forgotten_and_the_rest_stays(palimpsest: RunningPalimpsest) -> None:
    instance = palimpsest.instance
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(base_url=instance.http_url, trust_env=False, timeout=30) as http,
    ):
        await told(client)
        shown = (await forget(http, dry_run=True)).topic
        sure = {(hit.record, hit.beginning) for hit in shown.found if hit.sure >= 0.9}
        assert shown.by_meaning
        assert ("turn", SAID[1]) in sure
        assert ("memory", "小金的生日是五月三号") in sure
        assert not any(SAID[0] in beginning for _, beginning in sure)

        gone = await forget(http)
        assert gone.result is not None
        assert gone.result.applied
        # From the answer on, whoever has obeyed by then.
        answer = await client.recall("小金", user_id=USER, preview=True)
        assert not any("小金" in result.content for result in answer.results)
        assert "小金" not in (await client.context("小金", user_id=USER)).block
        await until_obeyed(instance, USER)
        # What is asked about here meanwhile leaves a trace of its own.
        kept = await kept_of(instance, USER, besides=[RECALLS])
        left = [each for each in kept if "小金" in each]
        assert left == [], "\n".join(left)
        assert (await forget(http, dry_run=True)).topic.found == ()
        answer = await client.recall("小金", user_id=USER, preview=True)
        assert not any("小金" in result.content for result in answer.results)
        await until_recalled(client, "rain", USER, "m2")
