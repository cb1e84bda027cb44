"""Plans that are moved: "make it Thursday", 改到周四. The plan is kept, with its new time."""

import re
from collections.abc import Sequence

from palimpsest.model.bilingual_text import has_chinese, join_with_punctuation
from palimpsest_language.corrections.time_substitution import replace_time_words
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.plan_keywords import extract_keywords, names_moved_plan
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import Proposal
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import (
    UtteranceTime,
    find_sentence_times,
    move_time,
    start_of_day,
)

_PHRASES = read_phrases("plans/plan_moves")
_MOVES, _PUTS_OFF = _PHRASES["moves"], _PHRASES["puts_off"]
_TO = re.compile(r"(?:to|until|till|[成到至])$", re.IGNORECASE)
_TO_BEHIND = re.compile(r" (?:(?:back|forward|up|down|over|out) )?to\b", re.IGNORECASE)
"""A verb that may move something to a place; "make it Friday" and "it's now" speak of a plan."""
_LEADS_UP = re.compile(
    (
        r"(?:\W|\b(?:on|at|in|the|to|or|like|about|around|back|forward|up|early|late|next|this)\b"
        r"|[了在那这个]|大概|大约|差不多)*"
    ),
    re.IGNORECASE,
)
"""Between what moves and when to: “moved to Leeds in April” moves no plan, nor does 调到上海."""
_ON = " on"
"""The preposition of the new time: "to the 23rd" is on that day."""
EXCHANGE_MESSAGES = 2
"""The most messages from a statement over a question to its answer."""


def find_new_time_position(text: str) -> int | None:
    """Return where the words for the new time begin; None if nothing is moved."""
    match = _PUTS_OFF.search(text) or _MOVES.search(text)
    return match.end() if match else None


def is_postponement(sentence: str) -> bool:
    """Tell whether a sentence replaces one day by another that it names."""
    return _PUTS_OFF.search(sentence) is not None


def date_moved_plan(plan: Proposal, sentence: str, said: UtteranceTime) -> Proposal:
    """Return a plan that was not told before as a sentence moves it, with its new time."""
    times = find_new_times(sentence, said)
    if not plan.kind.times.is_plannable or not times:
        return plan
    found = derive_timing(plan.kind, plan.attribute, times[0], sentence=sentence, said_at=said.at)
    return plan.model_copy(update={**vars(found), "content": sentence})


def find_new_times(text: str, said: UtteranceTime) -> tuple[TimeExpression, ...]:
    """Return the times right behind the verb that moves, read as ahead."""
    place = find_new_time_position(text)
    if place is None:
        return ()
    # "Pushed to May": what was done lies behind, what it was moved to ahead.
    before = " " * place if has_chinese(text) else _ON.rjust(place)
    ahead = before + text[place:].replace("了", " ")
    times = find_sentence_times(ahead, said)
    # "On Wednesday" may begin with the word that was put before it.
    leads = times and _LEADS_UP.fullmatch(ahead, min(place, times[0].start), times[0].start)
    return times if leads else ()


def _is_moved_in_time(text: str, said: UtteranceTime) -> bool:
    if is_postponement(text):
        return bool(find_new_times(text, said))
    match = _MOVES.search(text)
    if match is None:
        return False
    to_somewhere = _TO.search(match.group()) or _TO_BEHIND.match(text, match.end())
    return to_somewhere is None or bool(find_new_times(text, said))


def apply_plan_move(
    plans: Sequence[Proposal], change: Proposal, *, core: str, said: UtteranceTime
) -> tuple[Proposal, Proposal] | None:
    """Return the moved plan, as it was and as it is now; None if no plan fits.

    It is the last plan that shares a word with the move. If the move names nothing ("make it
    Friday") it is the last plan told. If it names something else, it is only the plan right before
    it in the same message.
    """
    if change.time is None or not _is_moved_in_time(core, said):
        return None
    standing = [plan for plan in plans if plan.kind.times.is_plannable and plan.time is not None]
    named = _named(standing, core, said) or _named(standing, change.content, said)
    plan = named[-1] if named else _just_told(standing, change, said)
    if plan is None or plan.time is None:
        return None
    moved_to = next(iter(find_new_times(core, said)), change.time)
    time = move_time(plan.time, moved_to, said)
    if _is_over(time, said) and not _is_over(plan.time, said):
        # A plan that is ahead is not moved to a past day.
        return None
    found = derive_timing(plan.kind, plan.attribute, time, sentence=core, said_at=said.at)
    return plan, plan.model_copy(
        update={
            **vars(found),
            "content": replace_time_words(plan.content, plan.time.words, moved_to.words)
            or join_with_punctuation(";", plan.content, core),
            "evidence": (*plan.evidence, *change.evidence),
        }
    )


def is_dated_together(proposal: Proposal, plan: Proposal) -> bool:
    """Tell whether the plan was told in the same words as the moved one, so that it moves along."""
    told_together = {quote.message for quote in proposal.evidence} & {
        quote.message for quote in plan.evidence
    }
    same = (
        proposal.time is not None
        and proposal.time == plan.time
        and proposal.kind.times.is_plannable
    )
    return same and bool(told_together)


def _is_over(time: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether a time is on a day before the message."""
    ends = time.ends_at or time.starts_at
    return ends is not None and ends <= start_of_day(said.at, said.time_zone)


def _named(plans: Sequence[Proposal], words: str, said: UtteranceTime) -> list[Proposal]:
    """Return the plans that share a word of weight with the text."""
    named = extract_keywords(words, said)
    return [plan for plan in plans if named & extract_keywords(plan.content, said)] if named else []


def _just_told(
    standing: Sequence[Proposal], change: Proposal, said: UtteranceTime
) -> Proposal | None:
    """Return the plan told last, if the move can be about it; past plans are not moved."""
    reach = 0 if names_moved_plan(change.content, said) else EXCHANGE_MESSAGES
    first = find_last_message(change) - reach
    near = [
        proposal
        for proposal in standing
        if find_last_message(proposal) >= first and not is_past_plan(proposal, said)
    ]
    return near[-1] if near else None


def find_last_message(proposal: Proposal) -> int:
    return max(quote.message for quote in proposal.evidence)


def is_past_plan(plan: Proposal, said: UtteranceTime) -> bool:
    return plan.time is not None and plan.time.recurrence is None and _is_over(plan.time, said)
