"""Batches of questions that a child embeds when many arrive at once.

Embedded in the serving process one by one, questions would delay all other recalls: embedding is
a third of a recall's work there. The child uses a second core, and reads a model's weights from
memory once for all questions of a batch.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from palimpsest.model.errors import TransientError
from palimpsest_server.embedders.embedder import QueryVectors

TOGETHER = 8
"""Largest batch: with more, the wait for a batch would cost more than it saves."""

QueryEmbedder = Callable[[Sequence[str]], Awaitable[Sequence[QueryVectors]]]


@dataclass
class _Asked:
    answer: asyncio.Future[QueryVectors]
    waiting: int = 0


class QueryBatcher:
    """Batch queries: those that arrive during one embedding are embedded together next."""

    def __init__(self, embed: QueryEmbedder) -> None:
        self._embed = embed
        self._asked: dict[str, _Asked] = {}
        """Unanswered questions in the order of arrival."""
        self._taking: asyncio.Task[None] | None = None

    async def embed(self, text: str) -> QueryVectors:
        """Return the vectors of one question.

        Raises:
            TransientError: the batcher is being stopped.
            PalimpsestError: embedding the batch failed; each of its callers gets the error.
        """
        asked = self._asked.get(text)
        if asked is None:
            asked = self._asked[text] = _Asked(asyncio.get_running_loop().create_future())
        if self._taking is None:
            self._taking = asyncio.create_task(self._take())
        asked.waiting += 1
        try:
            # Several callers may wait for one answer, so a caller that leaves must not cancel it.
            return await asyncio.shield(asked.answer)
        finally:
            asked.waiting -= 1

    async def stop(self) -> None:
        """Stop, and raise an error for waiting callers."""
        taking, self._taking = self._taking, None
        if taking is not None:
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
        self._fail([*self._asked], TransientError("the embedder is being stopped"))

    async def _take(self) -> None:
        try:
            while texts := self._next():
                await self._answer(texts)
        finally:
            if self._taking is asyncio.current_task():
                self._taking = None

    def _next(self) -> list[str]:
        """Return the queries that somebody still waits for; drop the others."""
        for text in [text for text, asked in self._asked.items() if not asked.waiting]:
            del self._asked[text]
        return list(self._asked)[:TOGETHER]

    async def _answer(self, texts: Sequence[str]) -> None:
        try:
            found = await self._embed(texts)
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            self._fail(texts, error)
        else:
            for text, vectors in zip(texts, found, strict=True):
                self._asked.pop(text).answer.set_result(vectors)

    def _fail(self, texts: Sequence[str], error: Exception) -> None:
        for text in texts:
            answer = self._asked.pop(text).answer
            answer.set_exception(error)
            # The caller may have gone.
            answer.exception()
