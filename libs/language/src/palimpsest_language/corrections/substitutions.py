"""Corrections of a name, a word or a form: "I misspoke, it's Tartu", 说错了，是3:40.

The target is the last statement, if exactly one word of it can be meant: the word that is said to
be wrong, the value of an attribute, or the word in the place of a place, a name or a thing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.correction import (
    MAX_CUE_CHARACTERS,
    CorrectedMessage,
    Cue,
    list_latest_told,
    rests_only_on,
)
from palimpsest_language.corrections.cue_table import CueMatch, CueTable
from palimpsest_language.plans.plan_amendments import (
    current_plan_text,
    format_amended_plan,
    is_meant,
)
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import find_sentence_times
from palimpsest_language.wording.numbers import find_numbers

CUES = CueTable("substitution", {})

MIN_SIMILARITY = 0.5
"""The least share of common letters of two spellings of one name."""

_NAME = re.compile(r"[A-Z][\w'’-]*(?: (?:(?:of|de|the) )?[A-Z][\w'’-]*)*")
_SOMEBODY_EN = re.compile(r"(?:I|we|you|he|she|it|they|this|that)(?:['’]\w+)?\b", re.IGNORECASE)
"""The beginning of a sentence of its own: "sorry, I got that wrong" replaces no word."""
_SURELY_WRONG = re.compile(
    r"\b(?:misspoke|mistyped|misremembered|wrong|typo|correction|mistake|my bad|slip of the tongue"
    r"|should (?:be|have been)|meant to)\b|[错误滑瓢抖反串岔混]|更正|纠正|输入法|脑子",
    re.IGNORECASE,
)
"""Words that mark the word before as a slip, and not as another opinion."""
_NO_WORD_ZH = re.compile(
    r"[我你他她它您吗呢嘛吧了的]|抱歉|对不起|不好意思|没|不|这|那|什么|因为|所以|可以|记得|一下|真的"
    r"|(?<=.)[在叫姓]."
)
"""Parts of a sentence, an excuse or a reference, not of a bare word."""
_PLACE_BEFORE = re.compile(r"\b(?:in|at|to|from|near|for|outside) (?:the )?$")
_SLOT_ZH = re.compile(
    r"(?:住在?|搬[到去]了?|来自|毕业于|位于|[在去到]了?|[叫姓是属]|学的?是?|教|读|养了?|买了?|用(?!户)|吃|喝|弹|打)"
    r"(?P<word>[\u4e00-\u9fffA-Za-z·]{1,10}?)"
    r"(?=(?:上班|工作|读书|上学|念书|出差|旅游|长大|出生|公司|大学)?(?:[，。,；（]|$))"
)
_LEADS_ZH = frozenset("对在叫是姓去到住")
_NAMED = frozenset({"name", "preferred_name", "pets"})
"""Attributes whose values are names."""
_ASKS = re.compile(r"[?？]")
_FORM = re.compile(r"[A-Za-z]{0,3}[0-9]+(?:[:：.\-/][A-Za-z0-9]+)+|[A-Za-z]{1,3}-?[0-9]+")
"""Figures of a form that is no quantity: 4:40, C14, 3-201."""


@dataclass(frozen=True)
class SubstitutionCue(Cue):
    right: str
    wrong: str | None
    verb: str
    """The verb before the right word that the wrong one has as well; "" without one."""
    is_sure: bool
    """True if the word before is said to be wrong outright."""


class SubstitutionTarget(NamedTuple):
    told: Proposal
    wrong: str
    is_earlier: bool
    """True if it was told in an earlier window."""


class SubstitutionCorrections:
    name = "substitution"

    def find_cues(self, said: CorrectedMessage) -> Iterator[SubstitutionCue]:
        for sentence in split_declarative_sentences(said.message.text):
            if len(sentence) > MAX_CUE_CHARACTERS:
                continue
            has_time = bool(find_sentence_times(sentence, said.at))
            for found in CUES.matches(sentence):
                cue = _read_cue(sentence, found, said)
                if cue is not None and not (has_time and _FORM.fullmatch(cue.right) is None):
                    yield cue
                    break

    def find_target(
        self, cue: SubstitutionCue, told: Sequence[Proposal], said: CorrectedMessage
    ) -> SubstitutionTarget | None:
        if not cue.is_sure and cue.wrong is None and _ASKS.search(said.question):
            return None
        own = [
            proposal for proposal in told if not rests_only_on(proposal, cue, said.user_messages)
        ]
        target = _find_told(own, cue)
        if target is not None:
            return target
        target = _find_told(said.before, cue)
        return None if target is None else target._replace(is_earlier=True)

    def restate(
        self,
        proposal: Proposal,
        cue: SubstitutionCue,
        target: SubstitutionTarget,
        said: CorrectedMessage,  # noqa: ARG002 - as the kinds have it
    ) -> Proposal:
        if target.is_earlier or cue.citation in proposal.evidence:
            return proposal
        messages = {cited.message for cited in target.told.evidence}
        if not any(cited.message in messages for cited in proposal.evidence):
            return proposal
        return _with_word(proposal, target.wrong, cue)

    def tell_anew(
        self,
        cue: SubstitutionCue,
        target: SubstitutionTarget,
        told: Sequence[Proposal],
        said: CorrectedMessage,  # noqa: ARG002
    ) -> list[Proposal]:
        if not target.is_earlier or any(cue.citation in proposal.evidence for proposal in told):
            return []
        anew = _with_word(target.told, target.wrong, cue)
        if anew.attribute is not None:
            return [anew.model_copy(update={"replaces": target.told.value})]
        if anew.kind in PLAN_KINDS and is_meant(anew.content):
            before, _, behind = anew.content.partition(cue.right)
            content = format_amended_plan(before, target.wrong, cue.right, behind)
            return [anew.model_copy(update={"content": content})]
        return [anew]

    def is_spent_alone(self, cue: SubstitutionCue, said: CorrectedMessage) -> bool:  # noqa: ARG002
        return cue.is_sure


def _read_cue(sentence: str, found: CueMatch, said: CorrectedMessage) -> SubstitutionCue | None:
    right, wrong = found.match["right"], found.group("wrong") or found.group("fine")
    are_things = wrong is not None and f"{right}{wrong}".islower()
    if not are_things and not all(_is_word(word) for word in (right, wrong) if word is not None):
        return None
    return SubstitutionCue(
        rule=found.row.id,
        citation=MessageQuote(message=said.message.number, quote=sentence),
        spent=sentence,
        right=right,
        wrong=wrong,
        verb=found.group("verb") or "",
        is_sure=_SURELY_WRONG.search(sentence[: found.match.start("right")]) is not None,
    )


def _is_word(word: str) -> bool:
    """Tell whether a word can be a value: in English a name, in Chinese no sentence."""
    if _FORM.fullmatch(word):
        return True
    if has_chinese(word):
        return _NO_WORD_ZH.search(word) is None and not any(find_numbers(word[:2]))
    return _NAME.fullmatch(word) is not None and _SOMEBODY_EN.match(word) is None


def _find_told(proposals: Sequence[Proposal], cue: SubstitutionCue) -> SubstitutionTarget | None:
    """Return the last statement before the cue with exactly one possible word; None without one."""
    found = [
        SubstitutionTarget(proposal, word, is_earlier=False)
        for proposal in list_latest_told(proposals, cue)
        if (word := _find_word(proposal, cue)) is not None
    ]
    return found[-1] if len({target.wrong for target in found}) == 1 else None


def _find_word(told: Proposal, cue: SubstitutionCue) -> str | None:
    content = current_plan_text(told.content)
    if cue.wrong is not None:
        return cue.wrong if _word_pattern(cue.wrong).search(content) else None
    if _FORM.fullmatch(cue.right):
        forms = {form for form in _FORM.findall(content) if _shape(form) == _shape(cue.right)}
        return forms.pop() if len(forms) == 1 and cue.right not in forms else None
    if has_chinese(cue.right) != has_chinese(content):
        return None
    if has_chinese(content):
        return _find_word_zh(told, content, cue)
    return _find_word_en(told, content, cue)


def _find_word_zh(told: Proposal, content: str, cue: SubstitutionCue) -> str | None:
    if told.attribute is not None:
        value = told.value or ""
        if told.kind is Kind.PERSON or told.attribute in _NAMED:
            # Only names correct names: 是老师 may describe the same person.
            return None
        return value if value != cue.right and content.count(value) == 1 else None
    words = [match["word"] for match in _SLOT_ZH.finditer(content) if match[0].startswith(cue.verb)]
    return words[0] if cue.is_sure and len(words) == 1 and words[0] != cue.right else None


def _find_word_en(told: Proposal, content: str, cue: SubstitutionCue) -> str | None:
    names = [
        match
        for match in _NAME.finditer(content)
        if match.start() > 0 and match[0] not in (told.subject, cue.right)
    ]
    places = [match[0] for match in names if _PLACE_BEFORE.search(content[: match.start()])]
    if len(places) == 1:
        return places[0]
    words = [match[0] for match in names]
    if len(words) != 1:
        return None
    return words[0] if cue.is_sure or _are_similar(words[0], cue.right) else None


def _shape(form: str) -> str:
    """Return a form with its numbers as 0 and its letters as A: 0:0, A0."""
    return re.sub("[A-Za-z]", "A", re.sub("[0-9]+", "0", form.replace("：", ":")))


def _are_similar(one: str, other: str) -> bool:
    ratio = SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
    return ratio >= MIN_SIMILARITY


def _word_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", re.IGNORECASE)


def _with_word(told: Proposal, wrong: str, cue: SubstitutionCue) -> Proposal:
    word = _word_pattern(wrong)
    if not word.search(told.content):
        return told
    right = _leave_out_repeated(cue.right, told.content, wrong)
    content, subject, value = (
        text and word.sub(lambda _: right, text)
        for text in (told.content, told.subject, told.value)
    )
    fields = {"content": content, "subject": subject, "value": value, "summary": None}
    entities = tuple(word.sub(lambda _: right, name) for name in told.entities)
    evidence = (*told.evidence, cue.citation)
    return told.model_copy(update={**fields, "entities": entities, "evidence": evidence})


def _leave_out_repeated(right: str, content: str, wrong: str) -> str:
    """Return the right word without what stands beside the wrong one already.

    Behind 对芒果过敏 people say 是菠萝过敏 or 是对菠萝过敏, and mean 菠萝.
    """
    before, _, behind = content.partition(wrong)
    sizes = range(len(right) - 1, 0, -1)
    said_behind = next((size for size in sizes if size > 1 and right[-size:] == behind[:size]), 0)
    right = right[: len(right) - said_behind]
    led = right[:1] in _LEADS_ZH and before.endswith(right[:1])
    return right[1:] if led and len(right) > 1 else right
