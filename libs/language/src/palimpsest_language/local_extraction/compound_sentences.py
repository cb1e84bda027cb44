"""Splits a sentence with one subject and several lasting statements.

"我住在上海，对花生过敏" is about a home and an allergy. As one memory, the allergy would end with
the home. Most commas only separate details ("我养了一只猫，叫小白"). A sentence is therefore split
only where rules understand both parts, the second with the subject carried over, and the parts are
about different matters. Otherwise it stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import (
    is_inside_supposition,
    split_declarative_sentences,
)
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.local_extraction.written_out import WrittenOut
from palimpsest_language.proposals import Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times

_MATTERS = {
    "city": "home",
    "work_city": "home",
    "hometown": "origin",
    "employer": "employer",
    "job": "job",
    "allergies": "allergies",
    "diet": "diet",
    "likes": "taste",
    "dislikes": "taste",
    "hobbies": "taste",
    "languages": "languages",
    "pets": "pets",
    "age": "age",
    "name": "name",
    "preferred_name": "name",
}
"""The matter of each attribute. Of one matter, a second statement may be a detail of the first."""

_DETAILS = frozenset({("allergies", "dislikes"), ("allergies", "diet"), ("diet", "dislikes")})
"""“对花生过敏，不吃坚果”: the second statement follows from the first."""

_AGED = re.compile(
    r"今年(?=(?:已经|都|刚|就|满|有|才)*(?:\d{1,3}|[一二三四五六七八九十]{2,3})(?:岁|了|[，,\s]|$))"
)
"""An age "this year" holds at any time of the year."""
_BARE_NAME = re.compile(r"\s*[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*[\s.!]*")
"""“I hate my middle name, Eugenia”: an apposition to the words before it."""
_TASTE = "taste"
_PETS = "pets"


@dataclass(frozen=True)
class _Writing:
    """The way in which a language carries a subject over."""

    gap: re.Pattern[str]
    """The gap between two statements about one subject."""
    subject: re.Pattern[str]
    """The speaker, named at the beginning."""
    others: re.Pattern[str]
    """Words that may begin another subject, or say that the rest does not hold now."""
    pointing: re.Pattern[str]
    """Words that refer to an earlier statement."""
    subjects: tuple[str, ...]
    """Subjects to carry over; the first with which a rule understands the words."""
    pets_go_on: bool
    """True if a verb behind a pet is still about the speaker."""


_CHINESE = _Writing(
    gap=re.compile(
        r"(?:\s*[，,]\s*|(?<=[\u4e00-\u9fff\d])\s+(?=[\u4e00-\u9fff]))(?:而且|并且|同时|另外|还有)?"
    ),
    subject=re.compile(r"(?:其实|对了[，,]?|目前|现在|平时)?我(?!们|的|家|爸|妈|哥|姐|弟|妹)"),
    others=re.compile(
        r"[他她它你您谁]|人家|的人|我[爸妈哥姐弟妹爷奶家]|我的|朋友|同事|室友|邻居|老板|领导|同学"
        r"|老婆|老公|妻子|丈夫"
        r"|儿子|女儿|孩子|父母|父亲|母亲|对象|女友|男友|以前|之前|曾|过去|从前|当年|那时|小时候"
        r"|本来|原来|如果|要是|假如|万一|可能"
        r"|也许|想(?!起|念)|打算|计划|希望|准备|考虑|推荐|应聘|面试|出差|旅游|即将|将来|以后|因为"
        r"|虽然|不再|离开"
    ),
    pointing=re.compile(r"[这那它其此]"),
    subjects=("我", "我是"),
    pets_go_on=False,
)
_ENGLISH = _Writing(
    gap=re.compile(r"\s*[,;]\s+(?:and\s+)?(?:also\s+)?|\s+and\s+(?:also\s+)?", re.IGNORECASE),
    subject=re.compile(
        r"(?:(?:actually|currently|well|so|oh|hi|hello|btw),? )?(?:I|i)(?= |['’]m )", re.IGNORECASE
    ),
    others=re.compile(
        r"\b(?:who|whose|that|which|where|when|while|because|if|people|someone|somebody|you|he"
        r"|she|they|we|his|her|their"
        r"|want|wants|would|could|might|may|should|will|hope|plan|going to|gonna|used to|was|were"
        r"|did|had|never|not|no longer"
        r"|think|thinking|wish|consider|considering|tell|told|say|said|know|hear|heard|see|saw"
        r"|let|make|help|to (?:live|work|be|have))\b|n['’]t\b|['’](?:d|ll)\b",
        re.IGNORECASE,
    ),
    pointing=re.compile(
        r"\b(?:the|it|its|this|that|these|those|there|here|them|him|her|my)\b", re.IGNORECASE
    ),
    subjects=("I ", "I am ", "I am a ", "I am an "),
    pets_go_on=True,
)


@dataclass(frozen=True)
class _Said:
    """Words of a sentence, and the facts that rules find in them."""

    words: str
    subject: str
    """The subject carried over; "" if the words name one."""
    known: Sequence[Proposal]

    @property
    def attributes(self) -> list[str]:
        return [proposal.attribute or "" for proposal in self.known]

    @property
    def matters(self) -> set[str]:
        return {_MATTERS[attribute] for attribute in self.attributes}


_CALLED = re.compile("(?:名字|店名|小名|大名|学名)?就?(?:叫|名叫|取名)")
"""A name of what the words before tell of: 开了家面馆，叫三毛面馆."""


def split_into_statements(text: str, said: UtteranceTime) -> str:
    """Return the text with each statement of a compound sentence on a line, with its subject."""
    told = text
    for sentence in split_declarative_sentences(text):
        parts = _parts(sentence, said)
        if len(parts) > 1:
            told = told.replace(sentence, "\n".join(parts))
    return told


def restore_quotes(proposal: Proposal, written: str, *, message: int, read: WrittenOut) -> Proposal:
    """Restore the evidence to the words as they were written.

    Subjects carried over and words written out for `read` are removed.
    """
    evidence = [
        quote.model_copy(update={"quote": _own(quote.quote, written, read)})
        if quote.message == message
        else quote
        for quote in proposal.evidence
    ]
    if read.question is not None and any(
        quote.message == message and quote.quote == read.replaced[-1][1] for quote in evidence
    ):
        evidence.append(read.question)
    return proposal.model_copy(update={"evidence": tuple(dict.fromkeys(evidence))})


def _own(quote: str, written: str, read: WrittenOut) -> str:
    without = (
        quote.removeprefix(subject)
        for subject in (*_CHINESE.subjects, *_ENGLISH.subjects)
        if quote.startswith(subject)
    )
    restored = (read.restore(words, written) for words in (quote, *without))
    return next((words for words in restored if words in written), quote)


def _parts(sentence: str, said: UtteranceTime) -> list[str]:
    """Return the statements of a sentence, each with its subject; one if it must not be split."""
    writing = _CHINESE if has_chinese(sentence) else _ENGLISH
    gaps = list(writing.gap.finditer(sentence))
    if not gaps or not writing.subject.search(sentence):
        return [sentence]
    begun = [(0, ""), *_begun(sentence, gaps, writing)]
    if len(begun) == 1 or find_sentence_times(_AGED.sub("", sentence), said):
        return [sentence]
    ends = [_before(gaps, start) for start, _ in begun[1:]] + [len(sentence)]
    return [
        subject + sentence[start:end] for (start, subject), end in zip(begun, ends, strict=True)
    ]


def _before(gaps: list[re.Match[str]], start: int) -> int:
    return next(gap.start() for gap in gaps if gap.end() == start)


def _begun(
    sentence: str, gaps: list[re.Match[str]], writing: _Writing
) -> Iterator[tuple[int, str]]:
    """Yield the start of each further statement, with the subject carried over."""
    bounds = [(0, 0), *((gap.start(), gap.end()) for gap in gaps), (len(sentence), 0)]
    before: _Said | None = None
    for (_, start), (end, _) in pairwise(bounds):
        now = None
        if not is_inside_supposition(sentence, start):
            now = _said(sentence[start:end], writing, goes_on=before is not None)
        if before is not None and now is not None and _is_another(before, now, writing):
            yield start, now.subject
        before = now


def _said(words: str, writing: _Writing, *, goes_on: bool) -> _Said | None:
    """Return the facts of a part; None if the facts or their subject are not plain."""
    if writing.others.search(words) or (
        goes_on and (_BARE_NAME.fullmatch(words) or _CALLED.match(words))
    ):
        return None
    subjects = ("",) if writing.subject.match(words) else writing.subjects if goes_on else ()
    known = ((subject, _known(subject + words)) for subject in subjects)
    return next((_Said(words, subject, says) for subject, says in known if says), None)


def _known(words: str) -> list[Proposal]:
    """Return the lasting facts that rules find; none if one ends, changes or passes."""
    proposals = read_facts(words, SentenceSpeaker(Role.USER, None), message=1)
    return proposals if all(_lasts(proposal) for proposal in proposals) else []


def _lasts(known: Proposal) -> bool:
    if known.attribute not in _MATTERS or known.ended or known.replaces:
        return False
    return known.subject == Role.USER.value


def _is_another(before: _Said, now: _Said, writing: _Writing) -> bool:
    """Tell whether a part is about another matter, and no detail of the part before."""
    if not now.subject or before.matters & now.matters:
        return False
    if not _DETAILS.isdisjoint(product(before.attributes, now.attributes)):
        return False
    if _PETS in before.matters and not writing.pets_go_on:
        return False
    if _TASTE in now.matters and writing.pointing.search(now.words):
        return False
    return not any(
        (proposal.value or "").casefold() in now.words.casefold() for proposal in before.known
    )
