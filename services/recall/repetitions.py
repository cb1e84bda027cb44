"""What of that which was read gives way to all else: it says again what better ones do, or only asks."""

from collections.abc import Sequence

from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.own_words import own_text, searched_text
from palimpsest_language.question_intents.bare_questions import is_only_a_question
from palimpsest_server.domain.ranking.deduplicate import (
    ContentTerms,
    extract_content_terms,
    find_repetitions,
)
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments

LONGEST_CHARACTERS = 300
"""What says more is no mere repetition."""


def giving_way(
    ranked: Sequence[RankedCandidate], read: VisibleDocuments, query: str
) -> frozenset[str]:
    """The ids of those that come only where room is left."""
    asking = (
        one.id
        for one in read.turns.values()
        if one.role is Role.AGENT and is_only_a_question(own_text(one))
    )
    return find_repetitions(ranked, _says_of(read), extract_content_terms(query).terms).union(
        asking
    )


def _says_of(read: VisibleDocuments) -> dict[str, ContentTerms]:
    """Of memories and turns; a summary repeats by its nature."""
    contents = {one.id: one.content for one in read.memories.values()}
    contents |= {one.id: searched_text(one) for one in read.turns.values()}
    return {
        identity: extract_content_terms(content)
        for identity, content in contents.items()
        if len(content) <= LONGEST_CHARACTERS
    }
