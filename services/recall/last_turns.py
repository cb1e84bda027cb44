"""Finds the newest turns in scope, whatever they are about."""

from datetime import datetime, timedelta

from palimpsest.api.recall import RecordType
from palimpsest.model.turn import Role, Turn
from palimpsest_server.stores.vectors import VectorStore
from services.recall.answer import RecallAnswer
from services.recall.present import present_turn
from services.recall.question import Question
from services.recall.read import DocumentReader
from services.recall.search import build_query

RETURNED_LAST_TURNS = 5

_AGO = tuple(
    int(span.total_seconds())
    for span in (
        timedelta(minutes=2),
        timedelta(minutes=15),
        timedelta(hours=2),
        timedelta(days=1),
        timedelta(days=7),
        timedelta(days=60),
        timedelta(days=730),
    )
)
"""Time spans from short to long, in seconds, all searched in one round trip. The projection finds
what is near, not what is new, so the newest turns are those in the shortest span with enough of
them.
"""

_MOST_IN_ONE = 80
_TURNS = frozenset({RecordType.TURN})


async def find_last_words(
    question: Question, speaker: Role, vectors: VectorStore, reader: DocumentReader
) -> RecallAnswer:
    """Return the newest turns of the speaker, latest first.

    Raises:
        TransientError: the projection or the documents are not available.
    """
    now = int(question.visibility.now.timestamp())
    found = await vectors.search_many(
        [
            build_query(question, limit=_MOST_IN_ONE, records=_TURNS, time=(now - ago, None))
            for ago in _AGO
        ]
    )
    said: dict[str, Turn] = {}
    for hits in found:
        read = await reader.read({hit.id: hit.record for hit in hits}, [], question.visibility)
        # Results accumulate over the spans: the search of a long span may miss the newest turns.
        said |= {turn.id: turn for turn in read.turns.values() if turn.role is speaker}
        if len(said) >= _wanted(question):
            break
    newest = sorted(said.values(), key=_place, reverse=True)[: _wanted(question)]
    return RecallAnswer([present_turn(turn, 1.0, None) for turn in newest])


def _wanted(question: Question) -> int:
    return min(RETURNED_LAST_TURNS, question.request.wanted)


def _place(turn: Turn) -> tuple[datetime, int, str]:
    return (turn.occurred_at, turn.sequence or 0, turn.id)
