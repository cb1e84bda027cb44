"""The answer of an upstream, passed on chunk by chunk."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx
from fastapi import Response
from starlette.types import Message, Receive, Scope, Send

from palimpsest.model.errors import TransientError
from palimpsest_server.runtime.http.error_responses import build_error_response
from palimpsest_server.runtime.http.unexpected_errors import ResponseBrokeOff
from services.console.chat_proxy.chat_dialects import ChatDialect
from services.console.chat_proxy.exchanges import ChatExchange, ClientFactory, ExchangeKeeper
from services.console.chat_proxy.reply_reader import StreamedReplyReader
from services.console.chat_proxy.upstream import (
    has_status_of_http,
    is_success,
    list_answer_headers,
)

UpstreamCall = Callable[[], AbstractAsyncContextManager[httpx.Response]]


class AnswerRecord:
    """Reads an answer on its way, and keeps the exchange once, before the end or at a break.

    Whatever was passed on counts as said: if the upstream dies or the client leaves, the text so
    far is kept as the reply.
    """

    def __init__(
        self,
        dialect: ChatDialect,
        exchange: ChatExchange,
        keeper: ExchangeKeeper,
        client: ClientFactory,
    ) -> None:
        self._dialect = dialect
        self._exchange = exchange
        self._keeper = keeper
        self._client = client
        self._reader: StreamedReplyReader | None = None
        self._kept = False

    def begin(self, response: httpx.Response) -> None:
        if is_success(response):
            self._reader = StreamedReplyReader(
                self._dialect,
                content_type=response.headers.get("content-type", ""),
                content_encoding=response.headers.get("content-encoding", ""),
            )

    @property
    def holds_last_chunk(self) -> bool:
        """True for an answer without a stream, which is complete only with its last byte."""
        return self._reader is not None and not self._reader.is_stream

    async def take(self, chunk: bytes) -> None:
        if self._reader is not None:
            self._reader.feed(chunk)
            if self._reader.is_over:
                await self.end()

    async def end(self) -> None:
        if (words := self._take_words()) is not None:
            await self._keeper.keep_before_the_end(self._exchange, words, self._client)

    def break_off(self) -> None:
        if (words := self._take_words()) is not None:
            self._keeper.start_keeping(self._exchange, words, self._client)

    def _take_words(self) -> str | None:
        if self._reader is None or self._kept:
            return None
        self._kept = True
        return self._reader.read_words()


class ProxiedAnswer(Response):
    """Asks the upstream when it is sent, and stops when the client leaves."""

    def __init__(self, call: UpstreamCall, record: AnswerRecord | None) -> None:
        super().__init__()
        self._call = call
        self._record = record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        passing = asyncio.create_task(self._pass_on(scope, receive, send))
        leaving = asyncio.create_task(_wait_for_leaving(receive))
        try:
            await asyncio.wait([passing, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not passing.done():
                passing.cancel()
            await asyncio.wait([passing, leaving])
            if self._record is not None:
                self._record.break_off()
        if not passing.cancelled():
            passing.result()

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False
        try:
            async with self._call() as response:
                if not has_status_of_http(response):
                    words = f"the upstream of this chat answers {response.status_code}"
                    await build_error_response(TransientError(words))(scope, receive, send)
                    return
                if self._record is not None:
                    self._record.begin(response)
                started = True
                await send(
                    {
                        "type": "http.response.start",
                        "status": response.status_code,
                        "headers": list_answer_headers(response),
                    }
                )
                await self._pass_chunks(response, send)
        except httpx.RequestError as error:
            if started:
                # The client must miss the end of the answer too.
                raise ResponseBrokeOff(type(error).__name__) from None
            words = f"the upstream of this chat does not answer: {type(error).__name__}"
            await build_error_response(TransientError(words))(scope, receive, send)

    async def _pass_chunks(self, response: httpx.Response, send: Send) -> None:
        record, held = self._record, b""
        async for chunk in response.aiter_raw():
            if record is not None:
                await record.take(chunk)
                if record.holds_last_chunk:
                    held, chunk = chunk, held  # noqa: PLW2901 - one chunk later
            if chunk:
                await send(_body(chunk))
        if record is not None:
            await record.end()
        await send(_body(held, more=False))


async def _wait_for_leaving(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _body(chunk: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": chunk, "more_body": more}
