"""Tells whether a clause continues the statement before it, or begins its own."""

from collections.abc import Sequence

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind, select_kinds
from palimpsest.model.turn import Role
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.plan_moves import find_new_time_position
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.uncued_statements import count_numbers

_FINDINGS = frozenset(select_kinds(lambda kind: Wording.FINDING in kind.wording))
_WISHES = frozenset(select_kinds(lambda kind: Wording.WISH in kind.wording))
_DESCRIPTIONS = frozenset(select_kinds(lambda kind: Wording.DESCRIPTION in kind.wording))
_THINGS = frozenset({"it", "that", "this", "they", "there", "those"})

_PHRASES = read_phrases("statements/continuations")
_OWN_SUBJECT = _PHRASES["own_subject"]
_OF_THEIRS = _PHRASES["of_theirs"]
_POINTS_BACK = _PHRASES["points_back"]
_THEM = _PHRASES["them"]
_CHANGES = _PHRASES["changes"]
_INSTEAD = _PHRASES["instead"]
_NO_MORE = _PHRASES["no_more"]
_MOVES_IT = _PHRASES["moves_it"]
_SEEN = _PHRASES["seen"]
_LABELLED = _PHRASES["labelled"]
_ABANDONED = _PHRASES["abandoned"]
_LEAST_CHARACTERS_OF_A_CHANGE = 8
"""现在在补习班教中文: a change of this many characters stands by itself."""


def is_continuation(
    kind: Kind, parts: Sequence[ClauseJudgement], judgement: ClauseJudgement, role: Role
) -> bool:
    """Tell whether `each` continues the statement of this kind made up by these clauses.

    Conclusions of an agent in one message are one statement, unless sentences have figures of their
    own.
    """
    if role is Role.AGENT:
        alike = judgement.kind is kind or {judgement.kind, kind} <= _FINDINGS
        return alike and not _is_a_point_of_its_own(judgement, parts)
    if _leans_on(kind, parts, judgement):
        return True
    if judgement.time is not None and any(
        part.time not in (None, judgement.time) for part in parts
    ):
        return False
    if judgement.pronoun is not None:
        return _tells_more(kind, parts, judgement)
    return _is_of_one_piece(kind, parts, judgement)


def _is_a_point_of_its_own(judgement: ClauseJudgement, parts: Sequence[ClauseJudgement]) -> bool:
    """Tell “The lookups take 91%. Batching takes it down to 22 s” apart: two findings."""
    if _LABELLED.search(judgement.core):
        return True
    if judgement.is_beside(parts[-1]):
        return False
    return count_numbers(judgement.core) > 0 and any(count_numbers(part.core) > 0 for part in parts)


def _leans_on(kind: Kind, parts: Sequence[ClauseJudgement], judgement: ClauseJudgement) -> bool:
    """Tell whether a clause refers back in its sentence: "their exports are", "he sold it"."""
    if not judgement.is_beside(parts[-1]):
        return False
    if _says_what_is_instead(parts[-1], judgement):
        return True
    if judgement.kind in _DESCRIPTIONS:
        if _POINTS_BACK.search(judgement.core):
            return True
        if judgement.person is None and _OF_THEIRS.search(judgement.core):
            return True
    if kind is Kind.EVENT and judgement.kind is Kind.FACT and judgement.core.startswith("现在"):
        return len(judgement.core) < _LEAST_CHARACTERS_OF_A_CHANGE
    of_them = judgement.person is None and parts[0].person is not None and judgement.time is None
    return of_them and _THEM.search(judgement.core) is not None


def _says_what_is_instead(before: ClauseJudgement, judgement: ClauseJudgement) -> bool:
    """Tell whether a clause states the new time or the replacement: 改到12月15号, 改喝普洱."""
    if judgement.time is not None and _MOVES_IT.search(judgement.core):
        return True
    return bool(_INSTEAD.search(judgement.core) and _NO_MORE.search(before.core))


def _is_of_one_piece(
    kind: Kind, parts: Sequence[ClauseJudgement], judgement: ClauseJudgement
) -> bool:
    if kind is Kind.FEEDBACK and judgement.kind in _WISHES:
        return True
    if not judgement.is_beside(parts[-1]) or judgement.kind is not kind:
        return False
    if kind is Kind.DECISION and not _OWN_SUBJECT.search(parts[-1].core):
        return True
    return not (_OWN_SUBJECT.search(judgement.core) or _CHANGES.search(judgement.core))


def _tells_more(kind: Kind, parts: Sequence[ClauseJudgement], judgement: ClauseJudgement) -> bool:
    """Tell whether a clause describes the thing just named: “she's a border terrier”."""
    if judgement.pronoun is not None and judgement.pronoun.casefold() in _THINGS:
        return judgement.time is None or all(part.time is None for part in parts)
    same = judgement.person is not None and any(judgement.person == part.person for part in parts)
    near = kind in _DESCRIPTIONS or judgement.is_beside(parts[-1])
    once = judgement.time is not None and judgement.time.recurrence is None
    return same and near and judgement.kind in _DESCRIPTIONS and not once


def replaces_abandoned_plan(parts: Sequence[ClauseJudgement], judgement: ClauseJudgement) -> bool:
    """Tell whether a decision replaces a rejected plan: “we were to fly, but the train it is”."""
    decided = judgement.is_beside(parts[-1]) and judgement.kind is Kind.DECISION
    return decided and _ABANDONED.search(parts[0].core) is not None


def refers_to_previous(judgement: ClauseJudgement, previous: ClauseJudgement) -> bool:
    """Tell whether a clause refers to others' words or to things seen: “that's not for me”."""
    if _SEEN.search(judgement.core):
        return True
    if previous.worth is not ClauseWorth.NOTHING or not judgement.is_beside(previous):
        return False
    return (judgement.pronoun or "").casefold() in {"that", "this", "it"}


def has_dangling_pronoun(judgement: ClauseJudgement) -> bool:
    """Tell whether a pronoun has no known referent: “it only has two”.

    “They moved it to Friday” is about a plan.
    """
    by_others = judgement.pronoun is not None and judgement.pronoun.casefold() not in _THINGS - {
        "they"
    }
    if by_others and judgement.coming and find_new_time_position(judgement.core) is not None:
        return False
    return (
        judgement.kind is Kind.FACT and judgement.person is None and judgement.pronoun is not None
    )
