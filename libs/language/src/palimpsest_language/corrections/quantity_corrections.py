"""Corrections of quantities: “need two tickets” – “scratch that, make it three”, 买一张票 – 改成两张吧.

It is of what was told just before, where that says how many. What was told in this window is told
with it; what was told in the one before is told anew with both, and takes the place of what it was.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.plans.plan_amendments import current_plan_text
from palimpsest_language.plans.plan_amendments import format_amended_plan as told_anew
from palimpsest_language.plans.plan_moves import EXCHANGE_MESSAGES, find_last_message
from palimpsest_language.proposals import MessageQuote, Proposal

_NUMBER = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|a (?:couple|dozen)|half a dozen)"
)
_NUMBER_ZH = r"(?:\d+|[一二两三四五六七八九十百]+)"
_MEASURE = r"[张个份本只条件把台瓶盒箱位间斤套双支包袋株棵辆桌人杯块]"
_ENGLISH = re.compile(
    r"^(?:(?:scratch that|strike that|no|nope|oh|oops|sorry|wait|hang on|hold on|actually|ok|okay|well|so|and|but|on second thoughts?|never ?mind|correction|hmm+)\b[,.!… —–-]*)*"
    rf"(?P<change>(?:let'?s )?make (?:it|that|them) (?:another )?{_NUMBER})(?! ?(?:[ap]\.?m\b|o'?clock|percent|%)|[:.]\d|(?:st|nd|rd|th)\b)(?! (?:hours?|minutes?|days?|weeks?|months?|years?|past|to|on|at|in the|of \w+(?:uary|ember|ober))\b)(?=[,.;!\s]|$)(?: \w+){{0,3}}",
    re.IGNORECASE,
)
"""None is an hour or a day: that moves a plan (`revising`)."""
_CHINESE = re.compile(
    r"^(?:(?:算了|不对|不是|不|等等|等一下|哦|啊|嗯|那|还是|我想了想|说错了)[，,。 ]*)*"
    rf"(?P<change>(?:改成|换成|改为|改|变成|要)(?P<count>{_NUMBER_ZH}{_MEASURE}))(?:吧|好了|算了|了)?(?=[，,。！!]|$)"
)
_COUNT = re.compile(
    rf"(?<![\w$£€.:/'’-]){_NUMBER}(?![\w:%.,/'’-]\w|(?:st|nd|rd|th)\b| ?(?:[ap]\.?m\b|%|dollars|pounds|quid|euros|bucks|days?\b|weeks?\b|months?\b|years?\b|hours?\b|minutes?\b))",
    re.IGNORECASE,
)
_COUNT_ZH = re.compile(rf"(?<!第){_NUMBER_ZH}{_MEASURE}(?!月)")
_NUMBER_SAID = re.compile(rf"(?P<number>{_NUMBER_ZH}{_MEASURE}|{_NUMBER})$", re.IGNORECASE)
_ONE_THING = re.compile(r"^ [a-z]+(?<!s)(?=$|[ ,.;])")
_AROUND = " .,!?;:…。，！？；："


class QuantityCorrection(NamedTuple):
    sentence: str
    words: str
    """With what stands around the change itself, and says nothing."""
    citation: MessageQuote


def correct_quantities(
    proposals: Sequence[Proposal],
    messages: Sequence[DialogueMessage],
    *,
    before: Sequence[Proposal],
) -> list[Proposal]:
    """With how many it is after all. `before` was told in an earlier window."""
    found = list(proposals)
    for change in _changes(messages):
        found = [each for each in found if not _rests_on(each, change, change.words)]
        told = [each for each in found if not _rests_on(each, change, change.sentence)]
        if (plan := _counted(told, change.citation)) is not None:
            found[found.index(plan)] = _with(plan, change.citation)
        elif (plan := _counted(before, change.citation)) is not None:
            found.append(_with(plan, change.citation))
    return found


def _rests_on(proposal: Proposal, change: QuantityCorrection, words: str) -> bool:
    """Tell whether on nothing else."""
    return all(
        each.message == change.citation.message and each.quote.strip(_AROUND) in words
        for each in proposal.evidence
    )


def _changes(messages: Sequence[DialogueMessage]) -> Iterator[QuantityCorrection]:
    for message in messages:
        if not message.fresh or message.role is not Role.USER:
            continue
        for sentence in split_declarative_sentences(message.text):
            pattern = _CHINESE if has_chinese(sentence) else _ENGLISH
            if (match := pattern.match(sentence.replace("’", "'"))) is not None:
                begins, end = match.span("change")
                citation = MessageQuote(message=message.number, quote=sentence[begins:end])
                yield QuantityCorrection(sentence, sentence[: match.end()], citation)


def _counted(proposals: Sequence[Proposal], change: MessageQuote) -> Proposal | None:
    """The last that says how many, told just before; only one number says of what that is."""
    near = [
        each
        for each in proposals
        if 0 <= change.message - find_last_message(each) <= EXCHANGE_MESSAGES
    ]
    last = near[-1] if near else None
    if last is None or last.attribute is not None or not last.kind.times.has_quantity:
        return None
    if last.time is not None and not last.time.all_day and change.quote[-1].isdigit():
        # At seven for four: eight may be either.
        return None
    return last if _number_in(last) is not None else None


def _number_in(plan: Proposal) -> re.Match[str] | None:
    """Return where it stands in the content, of which the time is no part.

    None where there are several.
    """
    words = current_plan_text(plan.content)
    if plan.time is not None:
        words = words.replace(plan.time.words, " " * len(plan.time.words))
    found = list((_COUNT_ZH if has_chinese(words) else _COUNT).finditer(words))
    return found[0] if len(found) == 1 else None


def _with(plan: Proposal, change: MessageQuote) -> Proposal:
    """With that number in place of the other, and which that was."""
    number = _number_in(plan)
    assert number is not None  # noqa: S101 - as it was found
    content = current_plan_text(plan.content)
    before, old, behind = content[: number.start()], number[0], content[number.end() :]
    now = _NUMBER_SAID.search(change.quote)
    new = now["number"] if now else change.quote
    if new.casefold() == old.casefold():
        return plan
    if old.casefold() == "one" and not behind.startswith("s"):
        behind = _ONE_THING.sub(r"\g<0>s", behind, count=1)
    content = told_anew(before, old, new, behind)
    return plan.model_copy(
        update={"content": content, "summary": None, "evidence": (*plan.evidence, change)}
    )
