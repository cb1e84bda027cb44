from collections.abc import AsyncIterator

import pytest

from tests.support.models.chat_streams import OPENAI_CHUNKS
from tests.support.models.chat_upstream import ChatUpstream, UpstreamAnswer, chat_upstream
from tests.support.services.console.proxied_chats import ProxiedChats, proxied_chats


@pytest.fixture
async def upstream() -> AsyncIterator[ChatUpstream]:
    async with chat_upstream() as server:
        server.script = [UpstreamAnswer(chunks=OPENAI_CHUNKS)]
        yield server


@pytest.fixture
async def chats(upstream: ChatUpstream) -> AsyncIterator[ProxiedChats]:
    async with proxied_chats(upstream.url) as running:
        yield running
