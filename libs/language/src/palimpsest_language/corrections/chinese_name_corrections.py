"""A name told wrong and set right in Chinese: 写错了，是王蕾不是王磊; 其实他叫小宝.

It is of what was told in the last few messages, and only where there is one thing that it can be of.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.chinese_cues import RATHER, SAYS_WRONG
from palimpsest_language.corrections.corrected_statement import build_corrected_statement
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.chinese.person_names import ANIMAL, CALLED, KIN, is_name
from palimpsest_language.facts.chinese.shared_patterns import RELATION_IN_ENGLISH
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.proposals import MessageQuote, Proposal

MAX_MESSAGES_BACK = 6
"""Messages before it, those of agents too."""
MAX_CORRECTION_CHARACTERS = 40
"""Characters: whoever says more says something else."""
MAX_MESSAGE_CHARACTERS = 400
"""Characters: a longer one is pasted, or tells a story."""

_OPENS = r"(?:啊|哦|噢|呃|嗯|哎|呀|唉|对了|等等|不好意思|抱歉|sorry|笑死|哈|[，,\s])*"
_NAME_OF = r"的?(?:名字|大名|小名|全名)?[，,\s]*"
_WHO = rf"{RATHER}(?:我们?(?:家|的)*)?(?P<who>他|她|它|我|{KIN}|{ANIMAL})?{_NAME_OF}"
_END = r"[了啦哈哦呢吧的]*[。.！!～~\s]*$"
_SET_RIGHT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_OPENS}(?:名字)?(?P<slip>{SAYS_WRONG})?{_WHO}{RATHER}(?P<verb>是|叫)\s*(?P<value>{CALLED})(?:[，,\s]*(?:而)?不(?:是|叫)\s*(?P<wrong>{CALLED}))?{_END}",
        rf"^{_OPENS}{_WHO}(?P<slip>{SAYS_WRONG}){RATHER}(?P<verb>是|叫)\s*(?P<value>{CALLED})(?:[，,\s]*(?:而)?不(?:是|叫)\s*(?P<wrong>{CALLED}))?{_END}",
        rf"^{_OPENS}(?:{SAYS_WRONG})?{_WHO}不(?:是|叫)\s*(?P<wrong>{CALLED})[，,\s]*(?:而)?{RATHER}(?P<verb>是|叫)\s*(?P<value>{CALLED}){_END}",
    )
)
_MARKS = re.compile(SAYS_WRONG + r"|其实|应该|实际|正确")
_OF_ANIMALS = "pets"
_OWN = "name"
_OF_WOMEN = frozenset({"wife", "girlfriend", "daughter", "mother", "sister"})
_OF_MEN = frozenset({"husband", "boyfriend", "son", "father", "brother"})
_NO_NAMES = frozenset({"allergies", "languages", "diet", "health_conditions", "skills", "job"})


@dataclass(frozen=True)
class ChineseNameCorrection:
    value: str
    """What is right."""
    wrong: str | None
    """What was told, where it is said again."""
    who: str | None
    is_named: bool
    """It is said to be a name: 叫, 名字."""


def parse_name_correction(sentence: str) -> ChineseNameCorrection | None:
    if len(sentence) > MAX_CORRECTION_CHARACTERS or not has_chinese(sentence):
        return None
    for pattern in _SET_RIGHT:
        if (match := pattern.match(sentence)) is None:
            continue
        caught = match.groupdict()
        wrong, value = caught.get("wrong"), caught["value"]
        if not is_name(value) and wrong is None:
            continue
        if wrong is None and not _MARKS.search(sentence[: match.start("value")]):
            continue
        is_named = caught["verb"] == "叫" or "名字" in sentence
        return ChineseNameCorrection(value, wrong, caught.get("who"), is_named)
    return None


def find_chinese_name_corrections(
    messages: Sequence[DialogueMessage],
) -> Iterator[tuple[Proposal, Proposal]]:
    """Return what was said, and what was meant, of each slip that a fresh message sets right."""
    if not any(message.fresh and _may_correct(message.text) for message in messages):
        return
    told: list[Proposal] = []
    for message in messages:
        if message.role is not Role.USER or len(message.text) > MAX_MESSAGE_CHARACTERS:
            continue
        told = [
            one for one in told if message.number - one.evidence[0].message <= MAX_MESSAGES_BACK
        ]
        for sentence in split_declarative_sentences(message.text):
            slip = parse_name_correction(sentence) if message.fresh else None
            said = _meant_by(slip, told) if slip else None
            if slip is not None and said is not None and said.value is not None:
                cited = MessageQuote(message=message.number, quote=sentence)
                meant = build_corrected_statement(said, said.value, slip.value, cited)
                yield said, meant
                told = [meant if one == said else one for one in told]
                continue
            found = read_facts(sentence, SentenceSpeaker(Role.USER, None), message=message.number)
            told += [one for one in found if one.attribute and one.value and not one.ended]


def _may_correct(text: str) -> bool:
    if len(text) > MAX_MESSAGE_CHARACTERS or not has_chinese(text):
        return False
    return any(
        parse_name_correction(sentence) is not None
        for sentence in split_declarative_sentences(text)
    )


def _meant_by(slip: ChineseNameCorrection, told: Iterable[Proposal]) -> Proposal | None:
    """The only one that it can be of."""
    latest = {
        (one.attribute, one.value): one for one in told if one.value and one.value in one.content
    }
    if slip.wrong is not None:
        fitting = [one for one in latest.values() if one.value == slip.wrong]
    else:
        fitting = [one for one in latest.values() if _may_be_called(one, slip)]
        fitting = [one for one in fitting if slip.is_named or _is_like(one.value, slip.value)]
        fitting = [*_of(slip.who, fitting)]
    fitting = [one for one in fitting if one.value != slip.value]
    return fitting[0] if len(fitting) == 1 else None


def _may_be_called(one: Proposal, slip: ChineseNameCorrection) -> bool:
    named = bool(one.entities) or one.attribute == _OF_ANIMALS
    return (
        named
        and one.attribute not in _NO_NAMES
        and is_name(one.value or "")
        and is_name(slip.value)
    )


def _is_like(said: str | None, meant: str) -> bool:
    return bool(set(said or "") & set(meant))


def _of(who: str | None, told: Sequence[Proposal]) -> Iterable[Proposal]:
    """Return proposals about the person meant.

    他 is no daughter, and an animal only if nobody else is.
    """
    if who is None:
        return told
    if who == "我":
        return [one for one in told if one.attribute == _OWN]
    if who == "它" or re.fullmatch(ANIMAL, who):
        return [one for one in told if one.attribute == _OF_ANIMALS]
    if who not in ("他", "她"):
        return [one for one in told if one.attribute == RELATION_IN_ENGLISH.get(who, who)]
    not_of = _OF_WOMEN if who == "他" else _OF_MEN
    others = [one for one in told if one.attribute not in {*not_of, _OWN}]
    return [one for one in others if one.attribute != _OF_ANIMALS] or others
