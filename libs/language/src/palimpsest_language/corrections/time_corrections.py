"""A time that was told wrong: “the dentist is on Wednesday” – “sorry, I meant Thursday”, 不对，是周四.

What only says so says nothing by itself. It is of what was told just before, which is told with the
right time. What was told in an earlier window is told anew, and takes the place of what it was.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese, join_with_punctuation
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.corrections.chinese_cues import RATHER, SAYS_WRONG
from palimpsest_language.corrections.corrected_statement import (
    AROUND,
    list_user_messages,
    rests_only_on,
)
from palimpsest_language.corrections.english_cues import (
    LEAD,
    MARKS,
    MAX_CORRECTION_CHARACTERS,
    NO,
    SLIP,
)
from palimpsest_language.corrections.time_substitution import replace_time_words
from palimpsest_language.dialogue import DialogueMessage
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


class TimeCorrection(NamedTuple):
    sentence: str
    message: int
    meant: TimeExpression
    denied: TimeExpression | None
    only_no: bool
    """It may be an answer as well, to what was asked just before."""
    about: str
    """What it says itself to be of, if anything."""

    @property
    def cited(self) -> MessageQuote:
        return MessageQuote(message=self.message, quote=self.sentence)


def correct_times(
    proposals: Sequence[Proposal],
    message: DialogueMessage,
    said_before: Sequence[DialogueMessage],
    *,
    before: Sequence[Proposal],
    time_zone: str,
) -> list[Proposal]:
    """With the times that this message says were meant. `before` was told in an earlier window."""
    found = list(proposals)
    said = UtteranceTime(message.occurred_at, time_zone)
    of_user = list_user_messages(message, said_before)
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
                if each is plan or is_dated_together(each, plan)
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


def _corrections(message: DialogueMessage, said: UtteranceTime) -> Iterator[TimeCorrection]:
    whole = message.text.strip()
    for sentence in dict.fromkeys((whole, *map(str.strip, split_sentences(message.text)))):
        if (found := _correction(sentence, message.number, said)) is not None:
            yield found
            if sentence == whole:
                return


def _correction(sentence: str, message: int, said: UtteranceTime) -> TimeCorrection | None:
    if (
        len(sentence) > MAX_CORRECTION_CHARACTERS
        or _ASKS.search(sentence)
        or not _MAY.search(sentence)
    ):
        return None
    times = find_sentence_times(_POINTED.sub(r"\1:\2", sentence), said)
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
    return TimeCorrection(sentence, message, meant[0], next(iter(denied), None), only_no, about)


def _framed(sentence: str, times: Sequence[TimeExpression]) -> str:
    """With a mark in the place of each time."""
    for each in reversed(times):
        sentence = sentence[: each.start] + _TIME + sentence[each.end :]
    return sentence


def _set_right_before(proposals: Sequence[Proposal], correction: TimeCorrection) -> Proposal | None:
    return next(
        (
            each
            for each in proposals
            if correction.cited in each.evidence and each.evidence[0].message < correction.message
        ),
        None,
    )


def _is_a_part(proposal: Proposal, right: Proposal) -> bool:
    """Tell whether it tells over again, with the time that was wrong, what the other tells."""
    if proposal.time is None or proposal.time.recurrence or proposal.attribute is not None:
        return False
    one, other = proposal.evidence[0], right.evidence[0]
    again = one.quote in other.quote or other.quote in one.quote
    return len(proposal.evidence) == 1 and one.message == other.message and again


def _just_told(
    proposals: Sequence[Proposal], correction: TimeCorrection, asked: str, said: UtteranceTime
) -> Proposal | None:
    """The last with a time that this can be of; of several the one with the time that is denied."""
    near = [
        each
        for each in proposals
        if each.time is not None
        and each.time.recurrence is None
        and 0 <= correction.message - find_last_message(each) <= EXCHANGE_MESSAGES
    ]
    if correction.denied is not None:
        near = [each for each in near if _is_at(each, correction.denied, said)]
    if about := extract_keywords(correction.about, said):
        near = [each for each in near if about & extract_keywords(each.content, said)]
    if correction.only_no:
        near = [each for each in near if not _answers(asked, each, said)]
    near.sort(key=find_last_message)
    likely = [each for each in near if _is_likely(each, correction, said)]
    if _POINTED.search(correction.sentence):
        # A price, or a length, where there is no hour to be set right.
        near = [each for each in near if each.time is not None and not each.time.all_day]
        likely = [each for each in likely if each in near]
    last = next(reversed(likely or near), None)
    return None if last is None or last.attribute is not None else last


def _is_likely(plan: Proposal, correction: TimeCorrection, said: UtteranceTime) -> bool:
    """Tell whether both are about one time: “yesterday” is no slip for the 16th of next month."""
    old, new = _moment(plan.time), _moment(_time_of(plan, correction, said))
    return old is not None and new is not None and abs(new - old) <= _ONE_SLIP


def _is_at(plan: Proposal, denied: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether on that day or at that hour, whichever week it was taken to be in."""
    assert plan.time is not None  # noqa: S101 - only of what has one
    words = plan.time.words.casefold()
    bare = re.sub(r"^(?:on|at|by|the|this|next) ", "", denied.words.casefold())
    if bare in words:
        return True
    moments = [at for each in (plan.time, denied) if (at := _moment(each)) is not None]
    return len({start_of_day(at, said.time_zone) for at in moments}) == 1


def _answers(asked: str, plan: Proposal, said: UtteranceTime) -> bool:
    """Tell whether “no” is said to a question of something else."""
    if "?" not in asked and "？" not in asked:
        return False
    return not extract_keywords(asked, said) & extract_keywords(plan.content, said)


def _moment(time: TimeExpression | None) -> datetime | None:
    return None if time is None else time.starts_at or time.ends_at


def _time_of(plan: Proposal, correction: TimeCorrection, said: UtteranceTime) -> TimeExpression:
    assert plan.time is not None  # noqa: S101 - only of what has one
    return move_time(plan.time, _read_beside(plan.time, correction.meant, said), said)


def _set_right(plan: Proposal, correction: TimeCorrection, said: UtteranceTime) -> Proposal:
    assert plan.time is not None  # noqa: S101 - only of what has one
    new = _time_of(plan, correction, said)
    found = derive_timing(
        plan.kind, plan.attribute, new, sentence=plan.evidence[0].quote, said_at=said.at
    )
    content = replace_time_words(plan.content, plan.time.words, _as_said(correction))
    if content is None:
        content = join_with_punctuation(";", plan.content, correction.sentence.rstrip(" .!。！"))
    return plan.model_copy(
        update={
            **vars(found),
            "content": content,
            "summary": None,
            "evidence": (*plan.evidence, correction.cited),
        }
    )


def _as_said(correction: TimeCorrection) -> str:
    return correction.sentence[correction.meant.start : correction.meant.end]


def _read_beside(old: TimeExpression, meant: TimeExpression, said: UtteranceTime) -> TimeExpression:
    """On whichever side of now the old one is, and of its month."""
    near = UtteranceTime(said.at, said.time_zone, time_of_message=old)
    words = meant.words
    if not has_chinese(words):
        words = f"{_beside(old, said)}{words}"
    times = find_sentence_times(words, near)
    return times[0] if len(times) == 1 else meant


def _beside(old: TimeExpression, said: UtteranceTime) -> str:
    if old.is_until:
        return "by "
    over = old.ends_at or old.starts_at
    return (
        "it was "
        if over is not None and over <= start_of_day(said.at, said.time_zone)
        else "it will be "
    )
