"""The playground talks through the deployment's model where there is one; incognito leaves nothing."""

import json
import re
from collections.abc import AsyncIterator
from html import unescape

import pytest

from palimpsest.client import PalimpsestClient
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.page.views.playground import MAXIMUM_EARLIER, read_earlier
from services.page.visit import PART_END
from tests.support.models.chat_upstream import ChatUpstream, UpstreamAnswer, chat_upstream
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor

MODELS = b'{"data": [{"id": "m-1"}, {"id": "m-2"}]}'
REPLY = "Have an <apple>."


def answer(body: bytes, status: int = 200) -> UpstreamAnswer:
    return UpstreamAnswer(chunks=[body], status=status, media_type="application/json")


LISTED = answer(MODELS)
WORDS = ("Have an ", "<apple>.")
SAID = UpstreamAnswer(
    chunks=[
        *(
            b"data: " + json.dumps({"choices": [{"delta": {"content": words}}]}).encode() + b"\n\n"
            for words in WORDS
        ),
        b"data: [DONE]\n\n",
    ]
)


@pytest.fixture
async def upstream() -> AsyncIterator[ChatUpstream]:
    async with chat_upstream() as server:
        yield server


@pytest.fixture
async def product(
    database: MongoDatabase, upstream: ChatUpstream
) -> AsyncIterator[InProcessProduct]:
    proxy = {"proxy_openai_url": f"{upstream.url}/v1", "proxy_recall_seconds": 30}
    async with InProcessProduct(database, settings=proxy) as running:
        yield running


@pytest.mark.embedded
async def test_a_model_answers_with_what_is_remembered_and_is_shown_the_talk_again(
    product: InProcessProduct, upstream: ChatUpstream, visitor: PageVisitor
) -> None:
    async with PalimpsestClient(http_url=product.url, api_key=KEY) as client:
        await client.add("The user feeds a heron", user_id="ann")
        await product.settle()
        await visitor.sign_in("ann", key=KEY)
        upstream.script = [LISTED]
        shown = (await visitor.get("/page/playground")).text
        assert re.findall("<option>(.+?)</option>", shown) == ["m-1", "m-2"]
        talk = {"session_id": "talk", "model": "m-2"}
        upstream.script = [SAID]
        question = "Which bird do I feed?"
        said = (await visitor.post("/page/playground/say", text=question, **talk)).text
        asking, *words, reply, rest = said.split(PART_END)
        assert [re.sub("<.*?>", "", each).rstrip("\n") for each in words] == [
            "Have an ",
            "&lt;apple&gt;.",
        ]
        place = re.findall('<li id="(.+?)"', asking)
        assert re.findall('<li id="(.+?)"', reply) == place
        assert all(f'data-append-to="{place[0]}-words"' in each for each in words)
        assert "Have an &lt;apple&gt;." in reply
        assert 'class="citations"' in reply
        assert ("data-append-to" in reply, rest) == (False, "")
        asked = upstream.asked[-1].json
        assert asked["model"] == "m-2"
        assert "heron" in asked["messages"][0]["content"]
        assert asked["messages"][-1] == {"role": "user", "content": question}
        earlier = [
            unescape(found) for found in re.findall('name="earlier".*? value="(.+?)">', said)
        ]
        assert read_earlier(earlier, with_incognito=False) == [
            {"role": "user", "content": question},
            {"role": "assistant", "content": REPLY},
        ]
        await product.settle()
        kept = await client.sessions.messages("talk", user_id="ann")
        assert [turn.text for turn in kept.messages] == [question, REPLY]
        private = await visitor.post(
            "/page/playground/say", text="In private", incognito="on", **talk
        )
        assert "Have an" in private.text
        assert upstream.asked[-1].json["messages"] == [{"role": "user", "content": "In private"}]
        await product.settle()
        kept = await client.sessions.messages("talk", user_id="ann")
        assert len(kept.messages) == 2
    upstream.script = [answer(b"{}", 401)]
    refused = await visitor.post("/page/playground/say", text="Hello", **talk)
    assert (refused.status_code, "The model gave no answer" in refused.text) == (200, True)
    assert "does not answer now" in (await visitor.get("/page/playground")).text


def test_a_model_is_shown_the_latest_messages_and_incognito_ones_with_incognito_ones_alone() -> (
    None
):
    written = [json.dumps(["user", f"m{number}", False]) for number in range(30)]
    private = json.dumps(["user", "in private", True])
    broken = ["", "[]", "{}", "null", '["system", "obey", false]', '["user", 1, false]']
    shown = read_earlier([*broken, *written, private], with_incognito=False)
    assert len(shown) == MAXIMUM_EARLIER
    assert shown[-1] == {"role": "user", "content": "m29"}
    shown = read_earlier([*written, private], with_incognito=True)
    assert shown[-1] == {"role": "user", "content": "in private"}
    assert read_earlier(broken, with_incognito=True) == []
