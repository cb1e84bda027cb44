"""A time that was told wrong: “the dentist is on Wednesday” – “sorry, I meant Thursday”, 不对，是周四.

What only says so says nothing by itself. It is of what was told just before, which is told with the
right time. What was told in an earlier window is told anew, and takes the place of what it was.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from palimpsest.domain.evolution.plans.said import PLAN_KINDS
from palimpsest.domain.time_expressions.expression import TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.domain.writing import has_chinese, joined_with
from palimpsest.providers.extraction.dialogue import Message
from palimpsest.providers.extraction.proposals_found import Citation, Proposal
from palimpsest.providers.extraction.rules.chinese.slips import RATHER, SAYS_WRONG
from palimpsest.providers.extraction.rules.naming import words_with_weight
from palimpsest.providers.extraction.rules.revising import (
    ONE_EXCHANGE,
    is_of_one_time,
    last_message,
)
from palimpsest.providers.extraction.rules.rewriting import with_time_in_place
from palimpsest.providers.extraction.rules.sentences import split
from palimpsest.providers.extraction.rules.setting_right import AROUND, rests_only_on, said_by_user
from palimpsest.providers.extraction.rules.slips import LEAD, LONGEST, MARKS, NO, SLIP
from palimpsest.providers.extraction.times import SaidWhen, day_of, moved, times_in
from palimpsest.providers.extraction.timing import timing

_ONE_SLIP = timedelta(days=12)
"""What lies farther from what was told is hardly a slip of that, where there is something nearer."""

_TIME = "\0"
_IT = r"(?:it['’]?s|it is|that['’]?s|that is|it was|(?:it|that) should be)"
_PLACE = r"(?:(?:actually|really|in fact|of course|on|at|by|for|from|the|this|around|about) )*"
_NOT = rf"(?:not|instead of|rather than) {_PLACE}{_TIME}"
_AGAIN = rf"(?:(?:the|my|our|it|that) )?(?:[\w’'-]+ ){{0,4}}?{_PLACE}{_TIME}"
_BEHIND = (
    rf"(?:{MARKS}(?:{_NOT}|instead|actually|sorry|sry|my bad|my mistake|oops|i mean(?:t)?"
    rf"|(?:i )?(?:got|had|said|wrote) (?:that|it) wrong|typo|though|lol|haha+|\*))*(?:[,.;] ?{_AGAIN})?{MARKS}"
)
"""“I meant Friday, the Prossers is Friday”: it may be said a second time."""
_ENGLISH = re.compile(
    rf"(?!oh no\b){LEAD}(?:"
    rf"(?P<slip>(?:{NO}{MARKS})*{SLIP}{MARKS}(?:(?:{SLIP}|{NO}|and|but){MARKS})*)(?:{_IT} )?{_PLACE}{_TIME}{_BEHIND}"
    rf"|(?P<no>{NO}{MARKS}(?:{NO}{MARKS})*)(?:{_IT} )?{_PLACE}{_TIME}{_BEHIND}"
    rf"|not {_PLACE}{_TIME}{MARKS}(?:but |{_IT} )?{_PLACE}{_TIME}{_BEHIND}"
    rf"|(?:{_IT} )?{_PLACE}{_TIME}{MARKS}{_NOT}{_BEHIND}"
    rf"|{_IT} (?:actually|really) {_PLACE}{_TIME}{_BEHIND}"
    rf"|{_IT} {_PLACE}{_TIME}{MARKS}actually{_BEHIND}"
    rf"|{_PLACE}{_TIME}{MARKS}(?:sorry|sry|my bad|my mistake|i mean(?:t)?|oops|(?:i )?(?:got|had|said|wrote) (?:that|it) wrong|\*){_BEHIND}"
    r")[)\U0001f000-\U0001faff ]*",
    re.IGNORECASE,
)
_BESIDE_IT = r"[^，,。；;！!？?不是就\0]{0,12}"
_IS_NOT = rf"(?:而)?不是(?:在)?{_TIME}{_BESIDE_IT}"
_CHINESE = re.compile(
    r"(?:"
    rf"(?P<slip>{SAYS_WRONG}){RATHER}(?:是|在|改[到成])?(?:在)?{_TIME}(?:才对|才是|{_BESIDE_IT})(?:[，, ]*{_IS_NOT})?"
    rf"|(?P<no>(?:[啊哦呃哎嗯噢等]*[，, ]*)?不是?[，,。！ ]+){RATHER}(?:是|在)?{_TIME}{_BESIDE_IT}(?:[，, ]*{_IS_NOT})?"
    rf"|(?P<about>{_BESIDE_IT})不是(?:在)?{_TIME}{_BESIDE_IT}[，, ]*(?:而)?{RATHER}(?:是|在){_TIME}{_BESIDE_IT}"
    rf"|(?P<what>{_BESIDE_IT}){RATHER}(?:是|在){_TIME}{_BESIDE_IT}[，, ]*{_IS_NOT}"
    r")(?:[，, ]*(?:[说记写打]错了|抱歉|不好意思))?[。！!，,～~ ]*"
)
_ASKS = re.compile(r"[?？]")
_MAY = re.compile(
    r"\b(?:no+|nope|nah|not|sorry|sry|soz|oop\w*|whoops|wait|on|actually|really|that|correction|typo|my|wrong|mean|meant|should|instead)\b|[*不错是说更]",
    re.IGNORECASE,
)
"""Without one of them nothing is set right: most sentences need not be looked at."""
_DENIED = re.compile(
    r"(?:\bnot|\binstead of|\brather than|不是)(?: (?:on|at|by|for|the|this))*\s*$", re.IGNORECASE
)


_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.([0-5]\d)(?![\d.%])")
"""“Sorry, 11.15”: behind a plan with an hour it is one."""


class Correction(NamedTuple):
    sentence: str
    message: int
    meant: TimeExpression
    denied: TimeExpression | None
    only_no: bool
    """It may be an answer as well, to what was asked just before."""
    about: str
    """What it says itself to be of, if anything."""

    @property
    def cited(self) -> Citation:
        return Citation(message=self.message, quote=self.sentence)


def retimed(
    proposals: Sequence[Proposal],
    message: Message,
    said_before: Sequence[Message],
    *,
    before: Sequence[Proposal],
    time_zone: str,
) -> list[Proposal]:
    """With the times that this message says were meant. `before` was told in an earlier window."""
    found = list(proposals)
    said = SaidWhen(message.occurred_at, time_zone)
    of_user = said_by_user(message, said_before)
    last = said_before[-1] if said_before else None
    asked = last.text if last and last.role is Role.AGENT else ""
    for correction in _corrections(message, said):
        told = [each for each in found if not rests_only_on(each, correction.cited, of_user)]
        if (right := _set_right_before(told, correction)) is not None:
            found = [
                _set_right(each, correction, said) if _is_a_part(each, right) else each
                for each in told
            ]
            continue
        if (plan := _just_told(told, correction, asked, said)) is not None:
            found = [
                _set_right(each, correction, said)
                if each is plan or is_of_one_time(each, plan)
                else each
                for each in told
            ]
        elif (plan := _just_told(_plans(before), correction, asked, said)) is not None:
            found = [*told, _set_right(plan, correction, said)]
        elif not correction.only_no and not correction.about:
            found = told
    return found


def _plans(proposals: Sequence[Proposal]) -> list[Proposal]:
    return [each for each in proposals if each.kind in PLAN_KINDS]


def _corrections(message: Message, said: SaidWhen) -> Iterator[Correction]:
    whole = message.text.strip()
    for sentence in dict.fromkeys((whole, *map(str.strip, split(message.text)))):
        if (found := _correction(sentence, message.number, said)) is not None:
            yield found
            if sentence == whole:
                return


def _correction(sentence: str, message: int, said: SaidWhen) -> Correction | None:
    if len(sentence) > LONGEST or _ASKS.search(sentence) or not _MAY.search(sentence):
        return None
    times = times_in(_POINTED.sub(r"\1:\2", sentence), said)
    frame = _framed(sentence, times)
    match = (_CHINESE if has_chinese(sentence) else _ENGLISH).fullmatch(frame) if times else None
    if match is None:
        return None
    denied = [each for each in times if _DENIED.search(sentence, 0, each.start)]
    meant = [each for each in times if each not in denied]
    if not meant or len({(each.starts_at, each.ends_at) for each in meant}) > 1:
        return None
    if meant[0].recurrence is not None:
        return None
    only_no = match["no"] is not None and not denied
    groups = match.groupdict()
    about = (groups.get("about") or groups.get("what") or "").strip(AROUND)
    return Correction(sentence, message, meant[0], next(iter(denied), None), only_no, about)


def _framed(sentence: str, times: Sequence[TimeExpression]) -> str:
    """With a mark in the place of each time."""
    for each in reversed(times):
        sentence = sentence[: each.start] + _TIME + sentence[each.end :]
    return sentence


def _set_right_before(proposals: Sequence[Proposal], correction: Correction) -> Proposal | None:
    return next(
        (
            each
            for each in proposals
            if correction.cited in each.evidence and each.evidence[0].message < correction.message
        ),
        None,
    )


def _is_a_part(proposal: Proposal, right: Proposal) -> bool:
    """Whether it tells over again, with the time that was wrong, what the other tells."""
    if proposal.time is None or proposal.time.recurrence or proposal.attribute is not None:
        return False
    one, other = proposal.evidence[0], right.evidence[0]
    again = one.quote in other.quote or other.quote in one.quote
    return len(proposal.evidence) == 1 and one.message == other.message and again


def _just_told(
    proposals: Sequence[Proposal], correction: Correction, asked: str, said: SaidWhen
) -> Proposal | None:
    """The last with a time that this can be of; of several the one with the time that is denied."""
    near = [
        each
        for each in proposals
        if each.time is not None
        and each.time.recurrence is None
        and 0 <= correction.message - last_message(each) <= ONE_EXCHANGE
    ]
    if correction.denied is not None:
        near = [each for each in near if _is_at(each, correction.denied, said)]
    if about := words_with_weight(correction.about, said):
        near = [each for each in near if about & words_with_weight(each.content, said)]
    if correction.only_no:
        near = [each for each in near if not _answers(asked, each, said)]
    near.sort(key=last_message)
    likely = [each for each in near if _is_likely(each, correction, said)]
    if _POINTED.search(correction.sentence):
        # A price, or a length, where there is no hour to be set right.
        near = [each for each in near if each.time is not None and not each.time.all_day]
        likely = [each for each in likely if each in near]
    last = next(reversed(likely or near), None)
    return None if last is None or last.attribute is not None else last


def _is_likely(plan: Proposal, correction: Correction, said: SaidWhen) -> bool:
    """Whether both are about one time: “yesterday” is no slip for the 16th of next month."""
    old, new = _moment(plan.time), _moment(_time_of(plan, correction, said))
    return old is not None and new is not None and abs(new - old) <= _ONE_SLIP


def _is_at(plan: Proposal, denied: TimeExpression, said: SaidWhen) -> bool:
    """Whether on that day or at that hour, whichever week it was taken to be in."""
    assert plan.time is not None  # noqa: S101 - only of what has one
    words = plan.time.words.casefold()
    bare = re.sub(r"^(?:on|at|by|the|this|next) ", "", denied.words.casefold())
    if bare in words:
        return True
    moments = [at for each in (plan.time, denied) if (at := _moment(each)) is not None]
    return len({day_of(at, said.time_zone) for at in moments}) == 1


def _answers(asked: str, plan: Proposal, said: SaidWhen) -> bool:
    """Whether “no” is said to a question of something else."""
    if "?" not in asked and "？" not in asked:
        return False
    return not words_with_weight(asked, said) & words_with_weight(plan.content, said)


def _moment(time: TimeExpression | None) -> datetime | None:
    return None if time is None else time.starts_at or time.ends_at


def _time_of(plan: Proposal, correction: Correction, said: SaidWhen) -> TimeExpression:
    assert plan.time is not None  # noqa: S101 - only of what has one
    return moved(plan.time, _read_beside(plan.time, correction.meant, said), said)


def _set_right(plan: Proposal, correction: Correction, said: SaidWhen) -> Proposal:
    assert plan.time is not None  # noqa: S101 - only of what has one
    new = _time_of(plan, correction, said)
    found = timing(plan.kind, plan.attribute, new, sentence=plan.evidence[0].quote, said_at=said.at)
    content = with_time_in_place(plan.content, plan.time.words, _as_said(correction))
    if content is None:
        content = joined_with(";", plan.content, correction.sentence.rstrip(" .!。！"))
    return plan.model_copy(
        update={
            **vars(found),
            "content": content,
            "summary": None,
            "evidence": (*plan.evidence, correction.cited),
        }
    )


def _as_said(correction: Correction) -> str:
    return correction.sentence[correction.meant.start : correction.meant.end]


def _read_beside(old: TimeExpression, meant: TimeExpression, said: SaidWhen) -> TimeExpression:
    """On whichever side of now the old one is, and of its month."""
    near = SaidWhen(said.at, said.time_zone, time_of_message=old)
    words = meant.words
    if not has_chinese(words):
        words = f"{_beside(old, said)}{words}"
    times = times_in(words, near)
    return times[0] if len(times) == 1 else meant


def _beside(old: TimeExpression, said: SaidWhen) -> str:
    if old.is_until:
        return "by "
    over = old.ends_at or old.starts_at
    return (
        "it was " if over is not None and over <= day_of(said.at, said.time_zone) else "it will be "
    )
