"""Rank changes before the statements that they change, judged only by their words and times.

Two statements on one matter may be about equally near to a question on the present. The later
one then comes first if it reports a change: 我每周去三次健身房, then 早就不去健身房了.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from palimpsest.model.memory import Memory
from palimpsest.model.turn import Role, Turn
from palimpsest_language.change_reports import reports_change
from palimpsest_language.off_the_record.own_words import own_text
from palimpsest_language.question_intents.named_people import names_person
from palimpsest_server.domain.ranking.repetitions import extract_content_terms
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments

LESS_RELEVANT = 0.12
"""Largest lead in relevance of the earlier statement."""

_MIN_SHARED_CHARACTERS = 2
_MIN_PART_CHARACTERS = 5
"""Shortest name that may match as a part: “phone” is a part of “iphone”."""


class _Statement(NamedTuple):
    ranked: RankedCandidate
    said_at: datetime
    terms: frozenset[str]
    relevance: float
    changes: bool
    teller: str | None
    """Name of the speaker, if people speak by name."""


def put_changes_first(
    chosen: Sequence[RankedCandidate],
    documents: VisibleDocuments,
    relevance: Mapping[str, float],
    question: str,
    *,
    answering: Collection[str] = (),
) -> list[RankedCandidate]:
    """Return the results with each reported change before the earlier statements that it changes.

    Args:
        chosen: the results, best first.
        documents: their documents.
        relevance: the relevance of each result, by id.
        question: a question on the present.
        answering: ids of memories of the attribute that is asked for, which come before all others.
    """
    asked = extract_content_terms(question).terms
    stated = {
        one.candidate.id: statement
        for one in chosen
        if (statement := _read(one, documents, relevance)) is not None
        and not (statement.teller and names_person(question, statement.teller))
    }
    order: list[RankedCandidate] = []
    for one in chosen:
        later = stated.get(one.candidate.id)
        place = len(order)
        if later is not None and later.changes and not one.outdated:
            places = (
                place
                for place, other in enumerate(order)
                if other.candidate.id not in answering
                and (earlier := stated.get(other.candidate.id)) is not None
                and _is_changed(earlier, later, asked)
            )
            place = next(places, len(order))
        order.insert(place, one)
    return order


def _is_changed(earlier: _Statement, later: _Statement, asked: frozenset[str]) -> bool:
    if earlier.said_at >= later.said_at or earlier.teller != later.teller:
        return False
    if later.relevance < earlier.relevance - LESS_RELEVANT:
        return False
    return _share_matter(later.terms, earlier.terms | asked)


def _share_matter(later: frozenset[str], others: frozenset[str]) -> bool:
    shared = later & others
    if len(shared) >= _MIN_SHARED_CHARACTERS or any(term.isascii() for term in shared):
        return True
    long = [term for term in others if term.isascii() and len(term) >= _MIN_PART_CHARACTERS]
    return any(term in word for term in long for word in later)


def _read(
    one: RankedCandidate, documents: VisibleDocuments, relevance: Mapping[str, float]
) -> _Statement | None:
    identity = one.candidate.id
    if (turn := documents.turns.get(identity)) is not None:
        return _of_turn(one, turn, relevance.get(identity, 0.0))
    if (memory := documents.memories.get(identity)) is not None:
        return _of_memory(one, memory, relevance.get(identity, 0.0))
    return None


def _of_turn(one: RankedCandidate, turn: Turn, relevance: float) -> _Statement | None:
    if turn.role is not Role.USER:
        return None
    text = own_text(turn)
    terms = extract_content_terms(text).terms
    changes = reports_change(text)
    return _Statement(one, turn.occurred_at, terms, relevance, changes, turn.speaker)


def _of_memory(one: RankedCandidate, memory: Memory, relevance: float) -> _Statement | None:
    said = [piece.said_at for piece in memory.evidence if piece.said_at is not None]
    if not said:
        return None
    words = [memory.content, *(piece.quote for piece in memory.evidence)]
    terms = extract_content_terms(memory.content).terms
    return _Statement(one, max(said), terms, relevance, any(map(reports_change, words)), None)
