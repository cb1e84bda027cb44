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
    kind: Kind, parts: Sequence[ClauseJudgement], each: ClauseJudgement, role: Role
) -> bool:
    """Tell whether `each` continues the statement of this kind made up by these clauses.

    Conclusions of an agent in one message are one statement, unless sentences have figures of their
    own.
    """
    if role is Role.AGENT:
        alike = each.kind is kind or {each.kind, kind} <= _FINDINGS
        return alike and not _is_a_point_of_its_own(each, parts)
    if _leans_on(kind, parts, each):
        return True
    if each.time is not None and any(part.time not in (None, each.time) for part in parts):
        return False
    if each.pronoun is not None:
        return _tells_more(kind, parts, each)
    return _is_of_one_piece(kind, parts, each)


def _is_a_point_of_its_own(each: ClauseJudgement, parts: Sequence[ClauseJudgement]) -> bool:
    """Tell “The lookups take 91%. Batching takes it down to 22 s” apart: two findings."""
    if _LABELLED.search(each.core):
        return True
    if each.is_beside(parts[-1]):
        return False
    return count_numbers(each.core) > 0 and any(count_numbers(part.core) > 0 for part in parts)


def _leans_on(kind: Kind, parts: Sequence[ClauseJudgement], each: ClauseJudgement) -> bool:
    """Tell whether a clause refers back in its sentence: "their exports are", "he sold it"."""
    if not each.is_beside(parts[-1]):
        return False
    if _says_what_is_instead(parts[-1], each):
        return True
    if each.kind in _DESCRIPTIONS:
        if _POINTS_BACK.search(each.core):
            return True
        if each.person is None and _OF_THEIRS.search(each.core):
            return True
    if kind is Kind.EVENT and each.kind is Kind.FACT and each.core.startswith("现在"):
        return len(each.core) < _LEAST_CHARACTERS_OF_A_CHANGE
    of_them = each.person is None and parts[0].person is not None and each.time is None
    return of_them and _THEM.search(each.core) is not None


def _says_what_is_instead(before: ClauseJudgement, each: ClauseJudgement) -> bool:
    """Tell whether a clause states the new time or the replacement: 改到12月15号, 改喝普洱."""
    if each.time is not None and _MOVES_IT.search(each.core):
        return True
    return bool(_INSTEAD.search(each.core) and _NO_MORE.search(before.core))


def _is_of_one_piece(kind: Kind, parts: Sequence[ClauseJudgement], each: ClauseJudgement) -> bool:
    if kind is Kind.FEEDBACK and each.kind in _WISHES:
        return True
    if not each.is_beside(parts[-1]) or each.kind is not kind:
        return False
    if kind is Kind.DECISION and not _OWN_SUBJECT.search(parts[-1].core):
        return True
    return not (_OWN_SUBJECT.search(each.core) or _CHANGES.search(each.core))


def _tells_more(kind: Kind, parts: Sequence[ClauseJudgement], each: ClauseJudgement) -> bool:
    """Tell whether a clause describes the thing just named: “she's a border terrier”."""
    if each.pronoun is not None and each.pronoun.casefold() in _THINGS:
        return each.time is None or all(part.time is None for part in parts)
    same = each.person is not None and any(each.person == part.person for part in parts)
    near = kind in _DESCRIPTIONS or each.is_beside(parts[-1])
    once = each.time is not None and each.time.recurrence is None
    return same and near and each.kind in _DESCRIPTIONS and not once


def replaces_abandoned_plan(parts: Sequence[ClauseJudgement], each: ClauseJudgement) -> bool:
    """Tell whether a decision replaces a rejected plan: “we were to fly, but the train it is”."""
    decided = each.is_beside(parts[-1]) and each.kind is Kind.DECISION
    return decided and _ABANDONED.search(parts[0].core) is not None


def refers_to_previous(each: ClauseJudgement, previous: ClauseJudgement) -> bool:
    """Tell whether a clause refers to others' words or to things seen: “that's not for me”."""
    if _SEEN.search(each.core):
        return True
    if previous.worth is not ClauseWorth.NOTHING or not each.is_beside(previous):
        return False
    return (each.pronoun or "").casefold() in {"that", "this", "it"}


def has_dangling_pronoun(each: ClauseJudgement) -> bool:
    """Tell whether a pronoun has no known referent: “it only has two”.

    “They moved it to Friday” is about a plan.
    """
    by_others = each.pronoun is not None and each.pronoun.casefold() not in _THINGS - {"they"}
    if by_others and each.coming and find_new_time_position(each.core) is not None:
        return False
    return each.kind is Kind.FACT and each.person is None and each.pronoun is not None
