"""Find what was said a moment ago: the newest turns in scope, whatever they are about."""

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
"""The projection finds what is near to a question and not what is new: the newest are all that
lies in the shortest of these that has a handful, and all of them are looked at in one round trip."""

_MOST_IN_ONE = 80
_TURNS = frozenset({RecordType.TURN})


async def find_last_words(
    question: Question, speaker: Role, vectors: VectorStore, reader: DocumentReader
) -> RecallAnswer:
    """Return the newest turns of the speaker, the latest first.

    Raises:
        TransientError: the projection or the documents are not to be had.
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
        # Kept from one to the next: among all of a long time the newest need not be found.
        said |= {turn.id: turn for turn in read.turns.values() if turn.role is speaker}
        if len(said) >= _wanted(question):
            break
    newest = sorted(said.values(), key=_place, reverse=True)[: _wanted(question)]
    return RecallAnswer([present_turn(turn, 1.0, None) for turn in newest])


def _wanted(question: Question) -> int:
    return min(RETURNED_LAST_TURNS, question.request.wanted)


def _place(turn: Turn) -> tuple[datetime, int, str]:
    return (turn.occurred_at, turn.sequence or 0, turn.id)
