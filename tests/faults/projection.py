"""What the vectors hold, against what MongoDB does."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from palimpsest.model.memory import Memory
from palimpsest.model.turn import Turn
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from services.consolidator.vector_projection import SEARCHABLE_STATUSES

FIRST_STAGE = "1-"
"""Where it was disturbed, its turns were read by consolidators without vectors, who keep none."""


async def wrong_with_projection(
    data_directory: Path, memories: Sequence[Memory], turns: Sequence[Turn]
) -> list[str]:
    """Where the vectors and MongoDB disagree; nothing may have them open."""
    vectors = EdgeVectorStore(data_directory, HashingEmbedder().model)
    await vectors.open()
    try:
        spoken = [turn for turn in turns if not turn.session_id.startswith(FIRST_STAGE)]
        scopes = {memory.id: memory.scope for memory in memories}
        scopes |= {turn.id: turn.scope for turn in spoken}
        versions = await vectors.versions(scopes)
    finally:
        await vectors.close()
    return [*_memories(memories, versions), *_turns(spoken, versions)]


def _memories(memories: Sequence[Memory], versions: Mapping[str, int]) -> Iterable[str]:
    for memory in memories:
        # What nobody searches need not be there; where it is, it says that it is forgotten.
        expected = memory.status in SEARCHABLE_STATUSES or memory.id in versions
        if expected and versions.get(memory.id) != memory.version:
            yield (
                f"the vectors have version {versions.get(memory.id)} of a memory of "
                f"{memory.scope.user_id} that stands at {memory.version}"
            )


def _turns(spoken: Sequence[Turn], versions: Mapping[str, int]) -> Iterable[str]:
    for turn in spoken:
        if turn.id not in versions:
            yield f"turn {turn.message_id} of {turn.user_id} has no vector"
