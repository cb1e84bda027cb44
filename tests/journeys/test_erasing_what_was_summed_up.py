"""What is purged or forgotten is not told by the summary of its session either, wherever one looks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.model.memory import Memory, Status
from tests.support.journeys.erasing import kept_of, until_obeyed
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.talking import spoken

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]


@dataclass(frozen=True)
class Talk:
    said: tuple[str, ...]
    secret: str
    """A word of the first message and of no other."""
    rest: str
    set_right: str
    asked: str
    about_last_time: str


TALKS = {
    "en": Talk(
        said=(
            "I am allergic to peanuts.",
            "I will keep that in mind.",
            "I am planning a sailing trip to Norway in June.",
            "Who comes along on the trip?",
            "My sister comes along on the sailing trip to Norway.",
        ),
        secret="peanut",
        rest="Norway",
        set_right="I am allergic to walnuts.",
        asked="What am I allergic to?",
        about_last_time="What did we talk about last time?",
    ),
    "zh": Talk(
        said=(
            "我对花生过敏。",
            "好的，我会记住。",
            "我打算六月去挪威航海旅行。",
            "谁和你一起去？",
            "我妹妹也一起去挪威航海旅行。",
        ),
        secret="花生",
        rest="挪威",
        set_right="我对核桃过敏。",
        asked="我对什么过敏？",
        about_last_time="上次我们聊了什么？",
    ),
}


class Reader:
    """Somebody who looks for the words of a talk in every place where they may be read."""

    def __init__(
        self, client: PalimpsestClient, http: httpx.AsyncClient, user: str, talk: Talk
    ) -> None:
        self.client, self._http, self.user, self._talk = client, http, user, talk

    async def summary(self) -> str:
        """As it is told; nothing where it is not."""
        answer = await self._http.get("/v1/sessions/s1/summary", params={"user_id": self.user})
        assert answer.status_code in {200, 404}, answer.text
        return answer.text if answer.status_code == 200 else ""

    async def everything_told(self) -> str:
        """But for what is exported."""
        own: dict[str, Any] = {"user_id": self.user}
        found = [await self.summary()]
        for question in (self._talk.asked, self._talk.about_last_time):
            for asked in ({}, {"records": [RecordType.SUMMARY]}, {"policy": "profile"}):
                recalled = await self.client.recall(question, preview=True, **own, **asked)
                found += [result.content for result in recalled.results]
            for form in ("default", "profile", "blended"):
                context = await self.client.context(question, session_id="s1", format=form, **own)
                found += [context.block, context.running_summary or ""]
                found += [message.text for message in context.messages]
        for path in ("/v1/sessions/summaries", "/v1/profile"):
            answer = await self._http.get(path, params=own)
            assert answer.status_code in {200, 404}, answer.text
            found.append(answer.text)
        return "\n".join(found)

    async def exported(self) -> str:
        return (await self._http.get("/v1/export", params={"user_id": self.user})).text

    async def until_told(self, *words: str, without: str | None = None) -> None:
        """Until the session's summary has these words, and not that one."""
        async with asyncio.timeout(90):
            while True:
                told = await self.summary()
                if all(word in told for word in words) and (without is None or without not in told):
                    return
                await asyncio.sleep(0.1)


@asynccontextmanager
async def reading(
    palimpsest: RunningPalimpsest, user: str, talk: Talk
) -> AsyncIterator[tuple[Reader, Memory]]:
    """The reader, and the one memory of the first message, once the talk is summed up."""
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=30
        ) as http,
    ):
        reader = Reader(client, http, user, talk)
        await client.save_conversation(
            spoken(*talk.said), user_id=user, session_id="s1", ended=True
        )
        await reader.until_told(talk.secret, talk.rest)
        listed = await client.list(user_id=user, status=[Status.ACTIVE])
        (memory,) = [memory for memory in listed.memories if talk.secret in memory.content]
        yield reader, memory


@pytest.mark.parametrize("language", TALKS)
async def test_what_is_purged_is_in_no_summary_and_no_later_one(
    palimpsest: RunningPalimpsest, language: str
) -> None:
    user, talk = f"purges-a-talk-{language}", TALKS[language]
    async with reading(palimpsest, user, talk) as (reader, memory):
        assert talk.secret in await reader.everything_told()
        assert (await reader.client.purge(memory.id, user_id=user)).applied
        # From the answer on, whoever has obeyed by then.
        assert talk.secret not in await reader.everything_told()
        assert talk.secret not in await reader.exported()

        await until_obeyed(palimpsest.instance, user)
        await reader.until_told(talk.rest, without=talk.secret)
        assert talk.secret not in await reader.everything_told()
        assert talk.secret not in await reader.exported()
        left = [one for one in await kept_of(palimpsest.instance, user) if talk.secret in one]
        assert left == []

        # What was said is sent once more, and the session ends once more.
        await reader.client.save_conversation(
            spoken(*talk.said), user_id=user, session_id="s1", ended=True
        )
        more = spoken("I bought a tent." if language == "en" else "我买了一顶帐篷。", first=9)
        await reader.client.save_conversation(more, user_id=user, session_id="s1", ended=True)
        await reader.until_told('"message_count":5', talk.rest, without=talk.secret)
        assert talk.secret not in await reader.everything_told()


@pytest.mark.parametrize("language", TALKS)
async def test_what_is_forgotten_is_left_out_of_the_summary_until_it_is_restored(
    palimpsest: RunningPalimpsest, language: str
) -> None:
    user, talk = f"forgets-a-talk-{language}", TALKS[language]
    async with reading(palimpsest, user, talk) as (reader, memory):
        assert (await reader.client.forget(memory.id, user_id=user)).applied
        assert talk.secret not in await reader.everything_told()
        await reader.until_told(talk.rest, without=talk.secret)
        assert talk.secret not in await reader.everything_told()
        await reader.client.restore(memory.id, user_id=user)
        await reader.until_told(talk.secret, talk.rest)


@pytest.mark.parametrize("language", TALKS)
async def test_what_was_set_right_is_not_told_as_it_was_said(
    palimpsest: RunningPalimpsest, language: str
) -> None:
    user, talk = f"corrects-a-talk-{language}", TALKS[language]
    async with reading(palimpsest, user, talk) as (reader, memory):
        await reader.client.edit(memory.id, user_id=user, content=talk.set_right)
        assert talk.secret not in await reader.summary()
        await reader.until_told(talk.rest, without=talk.secret)
