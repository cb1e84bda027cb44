"""Questions that a child embeds, because many are asked at once.

Embedded in the serving process, one question after another holds up all others'
recalls: a third of what a recall takes of it. Beside it there is a second core,
and a model's weights come from memory once for all that are embedded together.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from palimpsest.providers.embedding import QueryVectors

TOGETHER = 8
"""At most so many at a time: more would be waited for longer than they spare."""

Embed = Callable[[Sequence[str]], Awaitable[Sequence[QueryVectors]]]


class QuestionsBeside:
    """Whatever is asked while some are being embedded is embedded together after them."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._waiting: dict[str, asyncio.Future[QueryVectors]] = {}
        self._taking: asyncio.Task[None] | None = None

    async def embed(self, text: str) -> QueryVectors:
        """The vectors of one question.

        Raises:
            PalimpsestError: what embedding them raised, for everyone in it.
        """
        answer = self._waiting.get(text)
        if answer is None:
            answer = self._waiting[text] = asyncio.get_running_loop().create_future()
        if self._taking is None:
            self._taking = asyncio.create_task(self._take())
        # Several may wait for it: who goes away takes it from nobody.
        return await asyncio.shield(answer)

    async def stop(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            await asyncio.gather(self._taking, return_exceptions=True)

    async def _take(self) -> None:
        try:
            while self._waiting:
                texts = list(self._waiting)[:TOGETHER]
                await self._answer({text: self._waiting.pop(text) for text in texts})
        finally:
            self._taking = None

    async def _answer(self, asked: dict[str, asyncio.Future[QueryVectors]]) -> None:
        try:
            found = await self._embed(list(asked))
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            for answer in asked.values():
                answer.set_exception(error)
                # Whoever asked may be gone.
                answer.exception()
        except BaseException:
            for answer in asked.values():
                answer.cancel()
            raise
        else:
            for answer, vectors in zip(asked.values(), found, strict=True):
                answer.set_result(vectors)
