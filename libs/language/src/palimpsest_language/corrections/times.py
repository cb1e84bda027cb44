"""Corrections of times: "the dentist is on Wednesday" – "sorry, Thursday", 不对，是周四.

The target is the statement just before. A proposal of this window gets the right time. A proposal
of an earlier window is told again, and replaces its earlier form.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.model.bilingual_text import has_chinese, join_with_punctuation
from palimpsest_language.corrections.correction import (
    AROUND,
    MAX_CUE_CHARACTERS,
    CorrectedMessage,
    Cue,
    list_told_farther_back,
)
from palimpsest_language.corrections.cue_table import TIME_MARK, CueTable
from palimpsest_language.corrections.time_substitution import replace_time_words
from palimpsest_language.plans.plan_keywords import extract_keywords
from palimpsest_language.plans.plan_moves import (
    EXCHANGE_MESSAGES,
    find_last_message,
    is_dated_together,
)
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import (
    UtteranceTime,
    find_sentence_times,
    move_time,
    start_of_day,
)

CUES = CueTable("time", {})

_ONE_SLIP = timedelta(days=12)
"""A time farther from the told one is hardly a slip of it, if a nearer one exists."""
_ASKS = re.compile(r"[?？]")
_MAY_CORRECT = re.compile(
    r"\b(?:no+|nope|nah|not|sorry|sry|soz|oop\w*|whoops|wait|on|actually|really|that|correction"
    r"|typo|my|wrong|mean|meant|should|instead|auto-?correct|mis\w+)\b|[*不错是说更岔反滑串混]",
    re.IGNORECASE,
)
"""Words that every cue contains; sentences without them are not searched for times."""
_DENIED = re.compile(
    r"(?:\bnot|\binstead of|\brather than|不是)(?: (?:on|at|by|for|the|this))*\s*$", re.IGNORECASE
)
_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.([0-5]\d)(?![\d.%])")
"""“Sorry, 11.15”: behind a plan with an hour this is an hour."""


@dataclass(frozen=True)
class TimeCue(Cue):
    meant: TimeExpression
    denied: TimeExpression | None
    only_no: bool
    """True for “No, Thursday”, which may also answer a question."""
    about: str
    """Words that name the target; empty without any."""

    @property
    def words(self) -> str:
        return self.citation.quote[self.meant.start : self.meant.end]


@dataclass(frozen=True)
class TimeTarget:
    plan: Proposal
    is_earlier: bool
    """True if it was told in an earlier window."""


class TimeCorrections:
    name = "time"

    def find_cues(self, said: CorrectedMessage) -> Iterator[TimeCue]:
        whole = said.message.text.strip()
        for sentence in said.sentences():
            if (cue := parse_time_cue(sentence, said.message.number, said.at)) is not None:
                yield cue
                if sentence == whole:
                    return

    def find_target(
        self, cue: TimeCue, told: Sequence[Proposal], said: CorrectedMessage
    ) -> TimeTarget | None:
        if (plan := _find_plan_told(told, cue, said)) is not None:
            return TimeTarget(plan, is_earlier=False)
        plans = [proposal for proposal in said.before if proposal.kind in PLAN_KINDS]
        plan = _find_plan_told(plans, cue, said)
        return None if plan is None else TimeTarget(plan, is_earlier=True)

    def restate(
        self, proposal: Proposal, cue: TimeCue, target: TimeTarget, said: CorrectedMessage
    ) -> Proposal:
        if cue.citation in proposal.evidence or target.is_earlier:
            return proposal
        plan = target.plan
        if proposal == plan or is_dated_together(proposal, plan) or _tells_again(proposal, plan):
            return _with_time(proposal, cue, said.at)
        return proposal

    def tell_anew(
        self,
        cue: TimeCue,
        target: TimeTarget,
        told: Sequence[Proposal],  # noqa: ARG002 - as the kinds have it
        said: CorrectedMessage,
    ) -> list[Proposal]:
        return [_with_time(target.plan, cue, said.at)] if target.is_earlier else []

    def is_spent_alone(self, cue: TimeCue, said: CorrectedMessage) -> bool:  # noqa: ARG002
        return not cue.only_no and not cue.about


def parse_time_cue(sentence: str, message: int, said: UtteranceTime) -> TimeCue | None:
    """Read a sentence as a cue; None if it is none, or if it names several right times."""
    if (
        len(sentence) > MAX_CUE_CHARACTERS
        or _ASKS.search(sentence)
        or not _MAY_CORRECT.search(sentence)
    ):
        return None
    times = find_sentence_times(_POINTED.sub(r"\1:\2", sentence), said)
    found = CUES.match(_mark_times(sentence, times), language_of=sentence) if times else None
    if found is None:
        return None
    denied = [time for time in times if _DENIED.search(sentence[: time.start])]
    meant = [time for time in times if time not in denied]
    if not meant or len({(expression.starts_at, expression.ends_at) for expression in meant}) > 1:
        return None
    if meant[0].recurrence is not None:
        return None
    return TimeCue(
        rule=found.row.id,
        citation=MessageQuote(message=message, quote=sentence),
        spent=sentence,
        meant=meant[0],
        denied=next(iter(denied), None),
        only_no=found.group("no") is not None and not denied,
        about=(found.group("about") or "").strip(AROUND),
    )


def _mark_times(sentence: str, times: Sequence[TimeExpression]) -> str:
    for time in reversed(times):
        sentence = sentence[: time.start] + TIME_MARK + sentence[time.end :]
    return sentence


def _tells_again(proposal: Proposal, plan: Proposal) -> bool:
    """Tell whether a proposal repeats the plan with the wrong time."""
    if proposal.time is None or proposal.time.recurrence or proposal.attribute is not None:
        return False
    own, others = proposal.evidence[0], plan.evidence[0]
    overlap = own.quote in others.quote or others.quote in own.quote
    return len(proposal.evidence) == 1 and own.message == others.message and overlap


def _find_plan_told(
    proposals: Sequence[Proposal], cue: TimeCue, said: CorrectedMessage
) -> Proposal | None:
    """Return the last plan with a possible time, or with the denied time; None without one."""
    near = [
        proposal
        for proposal in proposals
        if proposal.time is not None
        and proposal.time.recurrence is None
        and 0 <= cue.message - find_last_message(proposal) <= EXCHANGE_MESSAGES
    ]
    if not near and not cue.only_no and not _ASKS.search(said.question):
        near = _find_only_plan(list_told_farther_back(proposals, cue))
    if cue.denied is not None:
        near = [proposal for proposal in near if _is_at(proposal, cue.denied, said.at)]
    if about := extract_keywords(cue.about, said.at):
        near = [
            proposal for proposal in near if about & extract_keywords(proposal.content, said.at)
        ]
    if cue.only_no:
        near = [proposal for proposal in near if not _answers_another_question(said, proposal)]
    near.sort(key=find_last_message)
    likely = [proposal for proposal in near if _is_one_slip(proposal, cue, said.at)]
    if _POINTED.search(cue.citation.quote):
        # A price or a length, if no hour can be corrected.
        near = [
            proposal for proposal in near if proposal.time is not None and not proposal.time.all_day
        ]
        likely = [proposal for proposal in likely if proposal in near]
    last = next(reversed(likely or near), None)
    return None if last is None or last.attribute is not None else last


def _find_only_plan(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the plans of the only message that told any with a time; none of several."""
    plans = [
        proposal
        for proposal in proposals
        if proposal.kind in PLAN_KINDS
        and proposal.time is not None
        and proposal.time.recurrence is None
    ]
    return plans if len({find_last_message(plan) for plan in plans}) == 1 else []


def _is_one_slip(plan: Proposal, cue: TimeCue, said: UtteranceTime) -> bool:
    """Tell whether the times are near: “yesterday” is no slip for the 16th of next month."""
    old, new = _moment(plan.time), _moment(_right_time(plan, cue, said))
    return old is not None and new is not None and abs(new - old) <= _ONE_SLIP


def _is_at(plan: Proposal, denied: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether a plan is on the denied day or hour, whichever week that was resolved to."""
    assert plan.time is not None  # noqa: S101 - only of what has one
    bare = re.sub(r"^(?:on|at|by|the|this|next) ", "", denied.words.casefold())
    if bare in plan.time.words.casefold():
        return True
    moments = [at for expression in (plan.time, denied) if (at := _moment(expression)) is not None]
    return len({start_of_day(at, said.time_zone) for at in moments}) == 1


def _answers_another_question(said: CorrectedMessage, plan: Proposal) -> bool:
    if not _ASKS.search(said.question):
        return False
    asked = extract_keywords(said.question, said.at)
    return not asked & extract_keywords(plan.content, said.at)


def _moment(time: TimeExpression | None) -> datetime | None:
    return None if time is None else time.starts_at or time.ends_at


def _right_time(plan: Proposal, cue: TimeCue, said: UtteranceTime) -> TimeExpression:
    assert plan.time is not None  # noqa: S101 - only of what has one
    return move_time(plan.time, _read_beside(plan.time, cue.meant, said), said)


def _with_time(plan: Proposal, cue: TimeCue, said: UtteranceTime) -> Proposal:
    assert plan.time is not None  # noqa: S101 - only of what has one
    timing = derive_timing(
        plan.kind,
        plan.attribute,
        _right_time(plan, cue, said),
        sentence=plan.evidence[0].quote,
        said_at=said.at,
    )
    content = replace_time_words(plan.content, plan.time.words, cue.words)
    if content is None:
        spoken = cue.citation.quote.rstrip(" .!。！")
        content = join_with_punctuation(";", plan.content, spoken)
    evidence = (*plan.evidence, cue.citation)
    changed = {**vars(timing), "content": content, "summary": None, "evidence": evidence}
    return plan.model_copy(update=changed)


def _read_beside(old: TimeExpression, meant: TimeExpression, said: UtteranceTime) -> TimeExpression:
    """Read the right time on the same side of now as the old one, and in its month."""
    near = UtteranceTime(said.at, said.time_zone, time_of_message=old)
    words = meant.words
    if not has_chinese(words):
        words = f"{_tense_of(old, said)}{words}"
    times = find_sentence_times(words, near)
    return times[0] if len(times) == 1 else meant


def _tense_of(old: TimeExpression, said: UtteranceTime) -> str:
    if old.is_until:
        return "by "
    over = old.ends_at or old.starts_at
    is_past = over is not None and over <= start_of_day(said.at, said.time_zone)
    return "it was " if is_past else "it will be "
