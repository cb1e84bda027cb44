"""Corrections of numbers: "two tickets" – "scratch that, make it three", 说错了，是四岁.

The target is the number told just before, of the same unit if a unit is named. A proposal of this
window gets the right number. A proposal of the window before is told again with both numbers, and
replaces its earlier form.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.correction import (
    AROUND,
    CorrectedMessage,
    Cue,
    list_latest_told,
    list_told_farther_back,
)
from palimpsest_language.corrections.cue_table import CueMatch, CueTable, read_cue_piece
from palimpsest_language.plans.plan_amendments import current_plan_text, format_amended_plan
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.wording.numbers import (
    DIGITS,
    NUMBER_WORDS_EN,
    NUMBER_ZH,
    ORDINALS_EN,
    find_numbers,
)

_PIECES = {
    "en": {"NUMBER": rf"(?:{ORDINALS_EN}|{DIGITS}k?|{NUMBER_WORDS_EN})"},
    "zh": {"NUMBER": NUMBER_ZH},
}
CUES = CueTable("quantity", _PIECES)

_UNIT_EN = read_cue_piece("en", "<UNIT>")
_UNIT_ZH = read_cue_piece("zh", "<MEASURE>")
_TOLD_EN = re.compile(
    rf"(?<![\w.:/'’-])(?P<number>{_PIECES['en']['NUMBER']})(?![\d:/]|[.,]\d| ?[ap]\.?m\b)"
    rf"(?:[ -]?(?P<unit>{_UNIT_EN})(?![a-z]))?(?![\w’'-])",
    re.IGNORECASE,
)
_TOLD_ZH = re.compile(
    rf"(?<![\d第.]) ?(?P<number>{NUMBER_ZH})(?![\d.:月点号]) ?(?P<unit>{_UNIT_ZH})?"
)
_DIMENSIONS = (
    "% ％ percent",
    "kilo kilos kg kgs kilogram kilograms pound pounds lb lbs gram grams g 公斤 千克 斤 克",
    "km kilometre kilometres kilometer kilometers mile miles 公里",
    "m metre metres meter meters cm centimetre centimetres centimeter centimeters 米 厘米",
    "dollar dollars bucks quid euro euros yuan usd eur gbp pound pounds 元 块 块钱 美元 美金 欧元",
    "year years 岁 年",
    "month months 个月",
    "week weeks 周",
    "day days 天",
    "hour hours 小时",
    "minute minutes 分钟",
    "person persons people guests kids 人 位 个 口",
    "楼 层",
)
"""Units of one dimension: a number in one may replace a number in another."""
_SORTS = tuple(frozenset(line.split()) for line in _DIMENSIONS)
_ONE_THING = re.compile(r"^ [a-z]+(?<!s)(?=$|[ ,.;])")
_NO_PRONOUN = re.compile(r"\d|[十百千万亿].|.[十百千万亿]")
"""Numbers that stand for themselves: without a measure, 一 and 两 are parts of other words."""
_TENFOLD = 10
_DOUBTFUL_LEAD = re.compile(
    r"(?:(?:no+|nope|nah|wait|oh|ah|well|so|and|but|actually|hang on|hold on)\b[,.! …—–-]*)+",
    re.IGNORECASE,
)
"""Words before a number that may as well be an answer to a question."""
_ASKS = re.compile(r"[?？]")


@dataclass(frozen=True)
class QuantityCue(Cue):
    sentence: str
    number: str
    unit: str
    """The unit named with the number; "" without one."""
    is_doubtful: bool
    """True if the number may answer the question just asked."""


@dataclass(frozen=True)
class QuantityTarget:
    told: Proposal
    number: "ToldNumber"
    is_earlier: bool
    """True if it was told in an earlier window."""


class ToldNumber(NamedTuple):
    """A number in a content: its position in characters, its words, and its unit or ""."""

    start: int
    end: int
    words: str
    unit: str
    unit_end: int


class QuantityCorrections:
    name = "quantity"

    def find_cues(self, said: CorrectedMessage) -> Iterator[QuantityCue]:
        for sentence in split_declarative_sentences(said.message.text):
            if (found := CUES.match(sentence.replace("’", "'"))) is not None:
                yield _read_cue(sentence, found, said)

    def find_target(
        self, cue: QuantityCue, told: Sequence[Proposal], said: CorrectedMessage
    ) -> QuantityTarget | None:
        others = [proposal for proposal in told if not _stands_in(proposal, cue)]
        target = _find_counted(others, cue, said.at)
        if target is not None:
            return target if _may_be_meant(cue, target, said) else None
        target = _find_counted(said.before, cue, said.at)
        if target is None or not _may_be_meant(cue, target, said):
            return None
        return replace(target, is_earlier=True)

    def restate(
        self,
        proposal: Proposal,
        cue: QuantityCue,
        target: QuantityTarget,
        said: CorrectedMessage,
    ) -> Proposal:
        if target.is_earlier or cue.citation in proposal.evidence:
            return proposal
        number = _find_number(proposal, cue, said.at)
        if number is None or not _tells_together(proposal, target.told):
            return proposal
        if not _is_same(number, target.number):
            return proposal
        is_todo = proposal.kind.properties.is_todo
        right = _with_number(proposal, number, cue, shows_both=is_todo)
        if is_todo or proposal.attribute is not None or right.content == proposal.content:
            return right
        return right.model_copy(update={"replaces": number.words})

    def tell_anew(
        self,
        cue: QuantityCue,
        target: QuantityTarget,
        told: Sequence[Proposal],  # noqa: ARG002 - as the kinds have it
        said: CorrectedMessage,  # noqa: ARG002
    ) -> list[Proposal]:
        if not target.is_earlier:
            return []
        anew = _with_number(target.told, target.number, cue, shows_both=True)
        if anew.attribute is not None:
            anew = anew.model_copy(update={"replaces": target.told.value})
        return [anew]

    def is_spent_alone(self, cue: QuantityCue, said: CorrectedMessage) -> bool:
        return not (cue.is_doubtful and _ASKS.search(said.question))


def _read_cue(sentence: str, found: CueMatch, said: CorrectedMessage) -> QuantityCue:
    begins, ends = found.match.span("change") if found.group("change") else (0, len(sentence))
    lead = sentence[: found.match.start("number")]
    return QuantityCue(
        rule=found.row.id,
        citation=MessageQuote(message=said.message.number, quote=sentence[begins:ends]),
        spent=sentence[: found.match.end()],
        sentence=sentence,
        number=found.match["number"],
        unit=(found.group("unit") or "").casefold(),
        is_doubtful=bool(found.group("weak") or _DOUBTFUL_LEAD.fullmatch(lead)),
    )


def _stands_in(proposal: Proposal, cue: QuantityCue) -> bool:
    return all(
        cited.message == cue.message and cited.quote.strip(AROUND) in cue.sentence
        for cited in proposal.evidence
    )


def _may_be_meant(cue: QuantityCue, target: QuantityTarget, said: CorrectedMessage) -> bool:
    """Tell whether the cue can mean the target: “No, 75” may answer another question."""
    if not cue.is_doubtful or not _ASKS.search(said.question):
        return True
    asked = re.compile(rf"(?<![\w.]){re.escape(target.number.words)}(?![\d.])")
    return asked.search(said.question) is not None


def _tells_together(proposal: Proposal, told: Proposal) -> bool:
    messages = {cited.message for cited in told.evidence}
    return any(cited.message in messages for cited in proposal.evidence)


def _find_counted(
    proposals: Sequence[Proposal], cue: QuantityCue, said: UtteranceTime
) -> QuantityTarget | None:
    """Return the last statement told just before with a single matching number.

    Farther back only a number of the same unit is meant.
    """
    latest = list_latest_told(proposals, cue)
    if not latest and cue.unit:
        latest = list_told_farther_back(proposals, cue)
    if any(_is_at_an_hour(proposal) for proposal in latest) and not cue.unit:
        # "At seven for four": "eight" may correct either number.
        return None
    counted: QuantityTarget | None = None
    for proposal in latest:
        if (number := _find_number(proposal, cue, said)) is None:
            continue
        if counted is not None and not _is_same(number, counted.number):
            return None
        counted = QuantityTarget(proposal, number, is_earlier=False)
    return counted


def _is_same(number: ToldNumber, other: ToldNumber) -> bool:
    return (number.words, number.unit) == (other.words, other.unit)


def _is_at_an_hour(proposal: Proposal) -> bool:
    return proposal.time is not None and not proposal.time.all_day


def _find_number(told: Proposal, cue: QuantityCue, said: UtteranceTime) -> ToldNumber | None:
    """Return the only number in the content, outside of times, that the cue can mean."""
    content = current_plan_text(told.content)
    when = None if told.time is None else told.time.words
    fitting = _list_numbers(_without_times(content, when, said), cue)
    if len(fitting) != 1 or len(_list_numbers(told.evidence[0].quote, cue)) > 1:
        return None
    return fitting[0]


def _list_numbers(words: str, cue: QuantityCue) -> list[ToldNumber]:
    fitting = [
        number
        for number in _read_numbers(words)
        if _is_of_sort(cue.unit, number.unit)
        and _is_ordinal(number.words) == _is_ordinal(cue.number)
    ]
    if len(fitting) < 2:
        return fitting
    return [number for number in fitting if _is_near(number.words, cue.number)]


@lru_cache(maxsize=4096)
def _read_numbers(words: str) -> tuple[ToldNumber, ...]:
    """Read all numbers of a text; cached for all cues."""
    pattern = _TOLD_ZH if has_chinese(words) else _TOLD_EN
    return tuple(
        ToldNumber(
            match.start("number"),
            match.end("number"),
            match["number"],
            (match["unit"] or "").casefold(),
            match.end("unit") if match["unit"] else match.end("number"),
        )
        for match in pattern.finditer(words)
        if match["unit"] or _NO_PRONOUN.search(match["number"]) or not has_chinese(words)
    )


def _is_ordinal(number: str) -> bool:
    return re.fullmatch(ORDINALS_EN, number, re.IGNORECASE) is not None


def _is_near(told: str, right: str) -> bool:
    """Tell whether two numbers are of one size: 950 may correct 900, but not 3."""
    values = [next(find_numbers(words)).value for words in (told, right)]
    return max(values) < _TENFOLD * min(values)


@lru_cache(maxsize=4096)
def _without_times(content: str, when: str | None, said: UtteranceTime) -> str:
    """Return the content with blanks in place of its times; a duration is no time here."""
    words = [] if when is None else [when]
    words += [time.words for time in find_sentence_times(content, said)]
    for word in words:
        content = content.replace(word, " " * len(word))
    return content


def _is_of_sort(unit: str, told: str) -> bool:
    if not unit or unit == told:
        return True
    return any({unit, told} <= sort for sort in _SORTS)


def _with_number(
    told: Proposal, number: ToldNumber, cue: QuantityCue, *, shows_both: bool
) -> Proposal:
    """Return the proposal with the right number; with both if the old one is known already."""
    new, old = cue.number, number.words
    end = number.end
    if cue.unit and number.unit and cue.unit != number.unit:
        new = cue.sentence[cue.sentence.index(new) :]
        new = new[: new.casefold().index(cue.unit) + len(cue.unit)]
        old, end = current_plan_text(told.content)[number.start : number.unit_end], number.unit_end
    if new.casefold() == old.casefold():
        return told
    content = current_plan_text(told.content)
    before, behind = content[: number.start], content[end:]
    if old.casefold() == "one" and not behind.startswith("s"):
        behind = _ONE_THING.sub(r"\g<0>s", behind, count=1)
    shown = shows_both and told.attribute is None
    content = _amended(before, old, new, behind) if shown else f"{before}{new}{behind}"
    changed = {"content": content, "value": _value_with(told, old, new), "summary": None}
    return told.model_copy(update={**changed, "evidence": (*told.evidence, cue.citation)})


def _amended(before: str, old: str, new: str, behind: str) -> str:
    """Return a content with both numbers, which `original_plan_text` reads again."""
    if has_chinese(before + behind) and (unit := re.match(_UNIT_ZH, behind)):
        return format_amended_plan(before, old + unit[0], new + unit[0], behind[unit.end() :])
    return format_amended_plan(before, old, new, behind)


def _value_with(told: Proposal, old: str, new: str) -> str | None:
    if told.value is None:
        return None
    return re.sub(rf"(?<![\w.]){re.escape(old)}(?![\d.])", new, told.value, count=1)
