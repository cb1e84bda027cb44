"""Memories of people as the gate sees them, in this process: embedded once, searched exactly."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from palimpsest.model.turn import Turn
from palimpsest.model.vectors import EmbeddableText, SparseVector
from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue
from palimpsest_lab.instances.dialogue_import import build_message_events
from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.relevance_gate import FINDS_PER_ARM
from palimpsest_server.domain.ranking.term_overlap import TermRarities
from palimpsest_server.embedders.dense_model import DenseModel
from palimpsest_server.embedders.embedded_texts import turn_text
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder, select_own_terms

Vector = NDArray[np.float32]

BATCH_TEXTS = 64


class EmbeddedQuestion:
    """A question as recall asks it."""

    def __init__(self, text: str, model: DenseModel) -> None:
        encoder = get_sparse_encoder()
        self.text = text
        self.dense: Vector = np.array(model.query(text), dtype=np.float32)
        self.terms = select_own_terms(encoder.query(text)).indices
        self.rarities: TermRarities = encoder.rarities(text)


@dataclass(frozen=True)
class EmbeddedItem:
    """One embedded message or memory."""

    dense: Vector
    sparse: SparseVector
    memory: bool


class EmbeddedMemories:
    """The memories of one person, or some of them, by id."""

    def __init__(self, texts: Mapping[str, EmbeddedItem]) -> None:
        self._texts = texts
        self._dense = np.array([text.dense for text in texts.values()])
        self._having: dict[int, list[tuple[str, float]]] = {}
        for identity, item in texts.items():
            for term, weight in zip(item.sparse.indices, item.sparse.values, strict=True):
                self._having.setdefault(term, []).append((identity, weight))

    def __len__(self) -> int:
        return len(self._texts)

    def __or__(self, other: "EmbeddedMemories") -> "EmbeddedMemories":
        return EmbeddedMemories({**self._texts, **other._texts})

    def search(self, asked: EmbeddedQuestion) -> list[SearchMatch]:
        """The best of each arm, as Qdrant scores them."""
        cosines = dict(zip(self._texts, (self._dense @ asked.dense).tolist(), strict=True))
        lexicals: defaultdict[str, float] = defaultdict(float)
        for term in asked.terms:
            having = self._having.get(term, [])
            rarity = math.log((len(self) - len(having) + 0.5) / (len(having) + 0.5) + 1)
            for identity, weight in having:
                lexicals[identity] += weight * rarity
        near, alike = _best(cosines), _best(lexicals)
        return [
            SearchMatch(one, near.get(one), alike.get(one), self._place(one))
            for one in {**near, **alike}
        ]

    def terms(self, ids: Iterable[str]) -> dict[str, Sequence[int]]:
        return {identity: self._texts[identity].sparse.indices for identity in ids}

    def some(self, size: int | None, keeping: Collection[str], seed: str) -> "EmbeddedMemories":
        """Return `size` memories including `keeping`, the rest drawn by the seed; all for None."""
        if size is None or size >= len(self):
            return self
        kept = [identity for identity in self._texts if identity in keeping][:size]
        others = [identity for identity in self._texts if identity not in keeping]
        drawn = Random(seed).sample(others, size - len(kept))  # noqa: S311 - no secret
        return EmbeddedMemories({identity: self._texts[identity] for identity in [*kept, *drawn]})

    def _place(self, identity: str) -> TurnPosition | None:
        """Return the place of a message, in a session of its own: neighbours are not asked here."""
        return None if self._texts[identity].memory else TurnPosition(identity, 1)


def embed_messages(dialogue: LocomoDialogue, model: DenseModel) -> EmbeddedMemories:
    """Embedded as they are for recall, the speaker and the date among the words."""
    turns = [_turn(dialogue, turn) for turn in dialogue.turns]
    return _embedded({turn.message_id: turn_text(turn) for turn in turns}, model, memories=False)


def embed_memories(contents: Mapping[str, str], model: DenseModel) -> EmbeddedMemories:
    """Memories of these contents, by id."""
    texts = {one: EmbeddableText(dense=text, sparse=text) for one, text in contents.items()}
    return _embedded(texts, model, memories=True)


def _embedded(
    texts: Mapping[str, EmbeddableText], model: DenseModel, *, memories: bool
) -> EmbeddedMemories:
    encoder, dense, whole = get_sparse_encoder(), list[list[float]](), [*texts.values()]
    for start in range(0, len(whole), BATCH_TEXTS):
        dense += model.documents(
            [embeddable_text.dense for embeddable_text in whole[start : start + BATCH_TEXTS]]
        )
    return EmbeddedMemories(
        {
            identity: EmbeddedItem(
                np.array(vector, dtype=np.float32), encoder.document(text.sparse), memories
            )
            for (identity, text), vector in zip(texts.items(), dense, strict=True)
        }
    )


def _turn(dialogue: LocomoDialogue, said: DialogueTurn) -> Turn:
    event = build_message_events(dialogue.id, said)[0]
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
    return dict(best[:FINDS_PER_ARM])
