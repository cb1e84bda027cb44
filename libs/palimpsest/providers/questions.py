"""Questions embedded in the calling process: those that come at once, in one go."""

import asyncio
from collections import OrderedDict
from itertools import islice

from palimpsest.providers.dense import DenseModel
from palimpsest.providers.embedding import QueryVectors
from palimpsest.providers.sparse import SparseEncoder

CACHED = 1_024
"""Questions come again (a page reloaded, a retry); 1,024 of them take some 10 MB."""

CHARACTERS_TOGETHER = 400
"""Past that, one question more would keep the event loop from everything else for too long."""


class Questions:
    """What comes in the same turn of the event loop is taken together; nobody is waited for."""

    def __init__(self, dense: DenseModel, sparse: SparseEncoder) -> None:
        self._dense = dense
        self._sparse = sparse
        self._known: OrderedDict[str, QueryVectors] = OrderedDict()
        self._waiting: dict[str, asyncio.Future[QueryVectors]] = {}

    async def embed(self, text: str) -> QueryVectors:
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            return known
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._take)
        answer = self._waiting.setdefault(text, loop.create_future())
        # Several may wait for it: who goes away takes it from nobody.
        return await asyncio.shield(answer)

    def _take(self) -> None:
        """As many as are soon done; what is left over in the next turn."""
        texts = self._next()
        answers = [self._waiting.pop(text) for text in texts]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._take)
        for text, answer, vectors in zip(texts, answers, self._vectors(texts), strict=True):
            if isinstance(vectors, Exception):
                answer.set_exception(vectors)
            else:
                answer.set_result(self._keep(text, vectors))

    def _next(self) -> list[str]:
        texts: list[str] = []
        for text in islice(self._waiting, self._dense.questions_together):
            if texts and sum(map(len, texts)) + len(text) > CHARACTERS_TOGETHER:
                break
            texts.append(text)
        return texts

    def _vectors(self, texts: list[str]) -> list[QueryVectors | Exception]:
        try:
            dense = self._dense.queries(texts)
            return [
                QueryVectors(dense=vector, sparse=self._sparse.query(text))
                for text, vector in zip(texts, dense, strict=True)
            ]
        except Exception as error:  # noqa: BLE001 - told to whoever asked what cannot be embedded
            if len(texts) == 1:
                return [error]
            return [vectors for text in texts for vectors in self._vectors([text])]

    def _keep(self, text: str, vectors: QueryVectors) -> QueryVectors:
        self._known[text] = vectors
        if len(self._known) > CACHED:
            self._known.popitem(last=False)
        return vectors
