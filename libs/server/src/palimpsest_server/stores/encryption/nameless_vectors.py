"""The projection without names of people, for deployments that encrypt content."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from palimpsest_server.stores.vectors import (
    ReplaceableVectorStore,
    VectorPoint,
    VectorReplacement,
    VectorState,
)


class NamelessVectorStore:
    """A vector store that drops the names of speakers and of people spoken about. Ranking works without them."""

    def __init__(self, vectors: ReplaceableVectorStore | VectorReplacement) -> None:
        self._vectors: Any = vectors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vectors, name)

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        await self._vectors.upsert([_nameless(point) for point in points])

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        left: set[str] = await self._vectors.restate([_nameless(state) for state in states])
        return left

    async def begin_replacement(self) -> VectorReplacement:
        return cast(
            "VectorReplacement", NamelessVectorStore(await self._vectors.begin_replacement())
        )


def strip_names(vectors: ReplaceableVectorStore) -> ReplaceableVectorStore:
    return cast("ReplaceableVectorStore", NamelessVectorStore(vectors))


def _nameless(one: Any) -> Any:
    return replace(one, features=one.features._replace(about=()))
