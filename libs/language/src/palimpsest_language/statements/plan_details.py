"""Details of an earlier plan: its time, and when to be reminded of it.

"I have a dentist's appointment" - "When?" - "Friday at 3" is one event on Friday. "Remind me on
Thursday", right behind a task due on Friday, is about that task.
"""

import re
from collections.abc import Sequence

from palimpsest.model.bilingual_text import detect_language, join_with_punctuation
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.plan_moves import EXCHANGE_MESSAGES, find_last_message, is_past_plan
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.statements.uncued_statements import count_words
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, move_time
from palimpsest_language.time_expressions.time_removal import remove_time_words

_ASKS_WHEN = re.compile(
    r"(?:\bwhen\b|\bwhat (?:time|day|date)\b|\bwhich (?:day|date|week|month)\b|\bdeadline\b|\bdue\b"
    r"|什么时候|什么时间|啥时候|几点|几号|哪天|哪一天|何时|多会儿|时间(?:定|是)|截止).*[?？]\W*$",
    re.IGNORECASE | re.DOTALL,
)
_PHRASES = read_phrases("statements/plan_details")
_BESIDE_A_TIME = _PHRASES["beside_a_time"]
_BESIDE_A_DEED = _PHRASES["beside_a_deed"]
_ONE_VERB = _PHRASES["one_verb"]
_REMINDS = _PHRASES["reminds"]
_BESIDE_A_REMINDER = _PHRASES["beside_a_reminder"]
_AHEAD_OF_IT = _PHRASES["ahead_of_it"]
_REMINDS_OF_IT = _PHRASES["reminds_of_it"]
_WRITES_DOWN = _PHRASES["writes_down"]

_RECENT = 3
"""Proposals back in which a plan is looked for."""


def is_bare_reminder(core: str) -> bool:
    """Tell whether the text only asks for a reminder of the statement before."""
    return _REMINDS_OF_IT.search(core) is not None and len(core) > 2


def asks_to_write_down(sentence: str) -> bool:
    """Tell whether the text is for a list or a calendar."""
    return _WRITES_DOWN.search(sentence) is not None


def asks_when(text: str) -> bool:
    """Tell whether a message ends by asking for the time of something."""
    return _ASKS_WHEN.search(text.strip()) is not None


def is_only_time(core: str, time: TimeExpression | None) -> bool:
    """Tell whether the words only say when: "Friday at 3, I think", 大概七月."""
    if time is None or time.recurrence is not None:
        return False
    return _says_nothing(_BESIDE_A_TIME.sub(" ", remove_time_words(core, time)))


def is_only_verb_and_time(core: str, time: TimeExpression | None) -> bool:
    """Tell whether the words only hold a time and a verb: 二月初走, 明年12月考."""
    if time is None or time.recurrence is not None:
        return False
    rest = _BESIDE_A_DEED.sub("", remove_time_words(core, time))
    return _ONE_VERB.search(rest) is not None


def add_plan_time(
    plans: Sequence[Proposal], when: TimeExpression, citation: MessageQuote, said: UtteranceTime
) -> tuple[Proposal, Proposal] | None:
    """Return the plan of this time, as it was and with the time; None without one."""
    near = [
        plan for plan in plans if find_last_message(plan) >= citation.message - EXCHANGE_MESSAGES
    ]
    plan = _plan(near, when)
    if plan is None:
        return None
    kind = Kind.EVENT if not plan.kind.times.is_plannable else plan.kind
    time = when if plan.time is None else move_time(plan.time, when, said)
    found = derive_timing(kind, plan.attribute, time, sentence=citation.quote, said_at=said.at)
    changed = {
        **vars(found),
        "kind": kind,
        "content": join_with_punctuation(",", plan.content, citation.quote),
        "evidence": (*plan.evidence, citation),
    }
    return plan, plan.model_copy(update=changed)


def add_answer_detail(
    told: Sequence[Proposal], answer: MessageQuote
) -> tuple[Proposal, Proposal] | None:
    """Return the last statement, as it was and with an answer to a question about it."""
    near = [
        proposal
        for proposal in told[-1:]
        if find_last_message(proposal) >= answer.message - EXCHANGE_MESSAGES
    ]
    if not near:
        return None
    before = near[0]
    changed = {
        "content": join_with_punctuation(";", before.content, answer.quote),
        "evidence": (*before.evidence, answer),
    }
    return before, before.model_copy(update=changed)


def _plan(plans: Sequence[Proposal], when: TimeExpression) -> Proposal | None:
    """Return the last plan without a time, or without an hour if this is an hour."""
    for plan in reversed(plans[-_RECENT:]):
        if not plan.kind.times.is_dated:
            continue
        if plan.time is None:
            return plan
        if plan.time.all_day and plan.time.recurrence is None and not when.all_day:
            return plan
    return None


def attach_reminder(
    plans: Sequence[Proposal], reminder: Proposal, *, core: str, said: UtteranceTime
) -> tuple[Proposal | None, Proposal] | None:
    """Join a bare reminder with its plan; return it with the plan that it replaces, if any.

    A plan without a time is then due at that time. For a plan with a time, the reminder names it.
    """
    if reminder.kind is not Kind.ACTION_ITEM:
        return None
    if _AHEAD_OF_IT.search(core) and (at := _told_beside(plans, reminder)) is not None:
        return None, reminder.model_copy(update={"time": at.time, "content": _with(at, reminder)})
    if not _is_bare(core, reminder.time):
        return None
    first = find_last_message(reminder) - EXCHANGE_MESSAGES
    recent = [
        plan
        for plan in plans[-_RECENT:]
        if plan.kind.times.is_plannable
        and find_last_message(plan) >= first
        and not is_past_plan(plan, said)
    ]
    if not recent or reminder.time is None:
        return None
    plan = recent[-1]
    evidence = (*plan.evidence, *reminder.evidence)
    if plan.kind is Kind.ACTION_ITEM and _has_no_hour(plan, reminder):
        mark = "," if detect_language(plan.content) is Language.CHINESE else ";"
        content = join_with_punctuation(mark, plan.content, _uncapitalised(reminder.content))
        changed = {"content": content, "time": reminder.time, "evidence": evidence}
        return plan, plan.model_copy(update=changed)
    content = join_with_punctuation(":", reminder.content, plan.content)
    return None, reminder.model_copy(
        update={"content": content, "evidence": (*reminder.evidence, *plan.evidence)}
    )


def _told_beside(plans: Sequence[Proposal], reminder: Proposal) -> Proposal | None:
    """Return the last plan of the same message, for a reminder without a time of its own."""
    if reminder.time is not None or not plans or plans[-1].time is None:
        return None
    same = find_last_message(plans[-1]) == find_last_message(reminder)
    return plans[-1] if same and plans[-1].kind.times.is_plannable else None


def _with(plan: Proposal, reminder: Proposal) -> str:
    if reminder.content in plan.content:
        return plan.content
    mark = "," if detect_language(plan.content) is Language.CHINESE else ":"
    return join_with_punctuation(mark, plan.content, reminder.content)


def _has_no_hour(plan: Proposal, reminder: Proposal) -> bool:
    """Tell whether a plan has no time, or only the day of the reminder."""
    if plan.time is None or reminder.time is None:
        return plan.time is None
    day, hour = plan.time, reminder.time
    if not day.all_day or hour.all_day or day.starts_at is None or day.ends_at is None:
        return False
    return hour.starts_at is not None and day.starts_at <= hour.starts_at < day.ends_at


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]


def _is_bare(core: str, time: TimeExpression | None) -> bool:
    if time is None or not _REMINDS.search(core):
        return False
    rest = _REMINDS.sub(" ", remove_time_words(core, time))
    return _says_nothing(_BESIDE_A_TIME.sub(" ", _BESIDE_A_REMINDER.sub(" ", rest)))


def _says_nothing(rest: str) -> bool:
    return count_words(rest) == 0
