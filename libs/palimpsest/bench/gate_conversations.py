"""Conversations as the gate sees them, in this process: embedded once, searched by both arms exactly."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from palimpsest.bench.importing import message_of
from palimpsest.bench.locomo import Dialogue, DialogueTurn
from palimpsest.domain.ranking.gate import LOOKED_AT
from palimpsest.domain.ranking.overlap import Rarities
from palimpsest.domain.ranking.pool import Match
from palimpsest.domain.turn import Turn
from palimpsest.domain.vectors import SparseVector
from palimpsest.providers.dense import DenseModel
from palimpsest.providers.sparse import sparse_encoder
from palimpsest.stores.vector_points import turn_text

Vector = NDArray[np.float32]

BATCH_TEXTS = 64


class Asked:
    """A question as recall asks it."""

    def __init__(self, text: str, model: DenseModel) -> None:
        encoder = sparse_encoder()
        self.text = text
        self.dense: Vector = np.array(model.query(text), dtype=np.float32)
        self.terms = encoder.query(text).indices
        self.rarities: Rarities = encoder.rarities(text)


class Messages:
    """The messages of one conversation, or some of them."""

    def __init__(self, of: Mapping[str, tuple[Vector, SparseVector]]) -> None:
        self._of = of
        self._ids = list(of)
        self._dense = np.array([dense for dense, _ in of.values()])
        self._having: dict[int, list[tuple[str, float]]] = {}
        for identity, (_, sparse) in of.items():
            for term, weight in zip(sparse.indices, sparse.values, strict=True):
                self._having.setdefault(term, []).append((identity, weight))

    def search(self, asked: Asked) -> list[Match]:
        """The best of each arm, as Qdrant scores them."""
        cosines = dict(zip(self._ids, (self._dense @ asked.dense).tolist(), strict=True))
        lexicals: defaultdict[str, float] = defaultdict(float)
        for term in asked.terms:
            having = self._having.get(term, [])
            rarity = math.log((len(self._ids) - len(having) + 0.5) / (len(having) + 0.5) + 1)
            for identity, weight in having:
                lexicals[identity] += weight * rarity
        near, alike = _best(cosines), _best(lexicals)
        return [Match(one, near.get(one), alike.get(one)) for one in {**near, **alike}]

    def terms(self, ids: Iterable[str]) -> dict[str, Sequence[int]]:
        return {identity: self._of[identity][1].indices for identity in ids}

    def some(self, size: int | None, keeping: Sequence[str], seed: str) -> "Messages":
        """So many, these among them and the others drawn by the seed; all for None."""
        if size is None or size >= len(self._ids):
            return self
        kept = [identity for identity in self._ids if identity in keeping]
        others = [identity for identity in self._ids if identity not in keeping]
        drawn = Random(seed).sample(others, max(0, size - len(kept)))  # noqa: S311 - no secret
        return Messages({identity: self._of[identity] for identity in [*kept, *drawn]})


def messages_of(dialogue: Dialogue, model: DenseModel) -> Messages:
    """Embedded as they are for recall, the speaker and the date among the words."""
    encoder, turns = sparse_encoder(), [_turn(dialogue, one) for one in dialogue.turns]
    texts = [turn_text(turn) for turn in turns]
    dense: list[list[float]] = []
    for start in range(0, len(texts), BATCH_TEXTS):
        dense += model.documents([one.dense for one in texts[start : start + BATCH_TEXTS]])
    return Messages(
        {
            turn.message_id: (np.array(vector, dtype=np.float32), encoder.document(text.sparse))
            for turn, text, vector in zip(turns, texts, dense, strict=True)
        }
    )


def _turn(dialogue: Dialogue, said: DialogueTurn) -> Turn:
    event = message_of(dialogue.id, said)
    return Turn(
        id=event.event_id,
        event_id=event.event_id,
        user_id=event.user_id,
        session_id=event.session_id,
        message_id=event.message_id,
        role=event.role,
        speaker=event.speaker,
        text=event.text,
        images=event.images,
        occurred_at=event.occurred_at,
        received_at=event.occurred_at,
        epoch=0,
    )


def _best(scores: Mapping[str, float]) -> dict[str, float]:
    best = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    return dict(best[:LOOKED_AT])
