"""Standing questions that an erasure takes: their words say what they were asked about.

The decision rests on what is stored alone, so that whoever looks later comes to the same: an answer that
was under way while its memories were erased does not save the question, nor does one that is made since.
"""

from collections.abc import Collection, Iterable

from palimpsest.model.erasure import PendingErasure
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.standing_questions import KnownQuestion


def select_standing_questions(
    questions: Collection[KnownQuestion],
    erasures: Iterable[DecidedErasure | PendingErasure],
    *,
    epoch: int,
) -> list[KnownQuestion]:
    """Return the questions of a user's epoch, or later ones, that none of the user's erasures takes."""
    erased = find_erased_questions(questions, erasures)
    return [known for known in questions if known.epoch >= epoch and known.id not in erased]


def find_erased_questions(
    questions: Collection[KnownQuestion], erasures: Iterable[DecidedErasure | PendingErasure]
) -> frozenset[str]:
    """Return the ids of the questions that one of their user's erasures takes."""
    erased_memories: set[str] = set()
    taken: set[str] = set()
    for decided in sorted(erasures, key=lambda decided: decided.revision):
        erased_memories.update(decided.erasure.memory_ids)
        taken.update(
            question.id
            for question in questions
            if _is_taken(question, decided, erased_memories=erased_memories)
        )
    return frozenset(taken)


def _is_taken(
    question: KnownQuestion,
    decided: DecidedErasure | PendingErasure,
    *,
    erased_memories: Collection[str],
) -> bool:
    erasure = decided.erasure
    if not erasure.takes_questions or question.added_at_revision >= decided.revision:
        return False
    if question.id in erasure.question_ids or erasure.takes_scope(question.scope):
        return True
    answered_by = {source.memory_id for source in question.past_sources}
    others_before = (
        source.memory_id not in erased_memories
        for source in question.past_sources
        if source.revision < decided.revision
    )
    return not answered_by.isdisjoint(erasure.memory_ids) and not any(others_before)
