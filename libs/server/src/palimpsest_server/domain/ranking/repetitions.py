"""Find results that repeat better ones: one fact six times is not six results.

Similarity in meaning cannot tell: "the meeting is on Monday" and "... on Tuesday" are nearer to
each other than two wordings of either. Words can, without the question's words, which all
results share.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.own_words import own_text, searched_text
from palimpsest_language.question_intents.bare_questions import is_only_a_question
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments

REPEATS_BELOW = 0.55
"""Share of a result's words that must be new. A word is half as new for each result that has it: so the
same words repeat, and a mostly new result never does, however often the rest was said."""

LONGEST_REPETITION_CHARACTERS = 300
"""A longer text is not a mere repetition."""

_SAID_AGAIN = 0.5
_DENIES = re.compile(r"\b(?:not?|never|neither|nor|without|cannot)\b|n['’]t\b|[不没别未無无]")


_WORD = re.compile(r"[a-z0-9]+|[^\x00-\x7f\W]+")
_PARTICLES = frozenset(
    "的了着过是在和与也都就还又很吗呢吧啊呀嘛哦嗯我你您他她它们这那个把被对从到给让"
)
_PARTICLES_BELOW = 3
_LATIN_PARTICLES = frozenset(
    """the and but for not nor you your his her its our their they them she who how what when where which
    that this these those there here are was were has have had did does can will would with from about
    into onto than then also very just also user""".split()  # noqa: SIM905
)


class ContentTerms(NamedTuple):
    """Terms of a content that distinguish it from others."""

    terms: frozenset[str]
    denies: bool = False
    """True for a denial: "likes tea" and "does not like tea" differ."""


def extract_content_terms(content: str) -> ContentTerms:
    """Return the words of Latin scripts, without most particles; each character of other scripts."""
    return ContentTerms(frozenset(_terms(content.lower())), is_negated(content))


def _terms(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if not word.isascii():
            yield from (one for one in word if one not in _PARTICLES)
        elif word.isdigit() or (len(word) >= _PARTICLES_BELOW and word not in _LATIN_PARTICLES):
            yield word.removesuffix("s")


def is_negated(content: str) -> bool:
    return _DENIES.search(content.lower()) is not None


def find_repetitions(
    ranked: Sequence[RankedCandidate], told: Mapping[str, ContentTerms], asked: Collection[str]
) -> frozenset[str]:
    """Return the ids of results that say hardly anything beyond better results.

    A result that rests on the same messages as a better one is the same thing already,
    and repeats nothing.

    Args:
        ranked: best first.
        told: terms of the results whose contents are known; others are not judged.
        asked: the terms of the question.
    """
    covered: set[str] = set()
    heard: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    found: set[str] = set()
    for ranked_candidate in ranked:
        known, sources = told.get(ranked_candidate.candidate.id), ranked_candidate.candidate.sources
        if known is not None and not sources <= covered:
            new = known.terms.difference(asked)
            if _newness(new, heard[known.denies]) < REPEATS_BELOW:
                found.add(ranked_candidate.candidate.id)
            else:
                heard[known.denies].update(new)
        covered |= sources
    return frozenset(found)


def _newness(terms: Collection[str], heard: Mapping[str, int]) -> float:
    if not terms:
        return 1.0
    return sum(_SAID_AGAIN ** heard.get(term, 0) for term in terms) / len(terms)


def find_redundant(
    ranked: Sequence[RankedCandidate], documents: VisibleDocuments, question: str
) -> frozenset[str]:
    """Return the ids of results that are returned only if there is room left.

    They repeat better results, or are mere questions of the agent.
    """
    asking = (
        turn.id
        for turn in documents.turns.values()
        if turn.role is Role.AGENT and is_only_a_question(own_text(turn))
    )
    terms = _extract_terms(documents)
    return find_repetitions(ranked, terms, extract_content_terms(question).terms).union(asking)


def take_distinct(
    ranked: Sequence[RankedCandidate], limit: int, redundant: Collection[str] = ()
) -> list[RankedCandidate]:
    """Return at most `limit` results, in the given order, redundant ones after all others.

    A memory and the turns that it quotes share a place. A result that rests only on turns of better
    results is returned, like redundant ones, only if there is room left.
    """
    covered: set[str] = set()
    taken: list[int] = []
    waiting: list[int] = []
    repeats = [ranked_candidate.candidate.id in redundant for ranked_candidate in ranked]
    for position, ranked_candidate in enumerate(ranked):
        if len(taken) == limit:
            break
        waits = repeats[position] or ranked_candidate.candidate.sources <= covered
        (waiting if waits else taken).append(position)
        covered |= ranked_candidate.candidate.sources
    kept = [*taken, *waiting[: limit - len(taken)]]
    return [
        ranked[position]
        for position in sorted(kept, key=lambda position: (repeats[position], position))
    ]


def _extract_terms(documents: VisibleDocuments) -> dict[str, ContentTerms]:
    """Return the terms of short memories and turns; a summary repeats by its nature."""
    contents = {memory.id: memory.content for memory in documents.memories.values()}
    contents |= {turn.id: searched_text(turn) for turn in documents.turns.values()}
    return {
        identity: extract_content_terms(content)
        for identity, content in contents.items()
        if len(content) <= LONGEST_REPETITION_CHARACTERS
    }
