"""Corrections of values: "no wait, it's Cate with a C", 写错了，是王蕾不是王磊.

The target is an earlier fact. In English it is the one of the sentence right before. In Chinese it
is the only possible one of the last few messages.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.attributes.relations import RELATION_IN_ENGLISH
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.correction import MAX_CUE_CHARACTERS, CorrectedMessage, Cue
from palimpsest_language.corrections.cue_table import CueMatch, CueTable, read_cue_piece
from palimpsest_language.corrections.time_substitution import MONTH
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.chinese.person_names import ANIMAL, CALLED, KIN, is_name
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.proposals import MessageQuote, Proposal

CUES = CueTable("value", {"zh": {"NAME": CALLED, "KIN": KIN, "ANIMAL": ANIMAL}})

MAX_MESSAGES_BACK = 6
"""The most messages between a Chinese name and its correction, messages of agents included."""
MAX_CHINESE_CUE_CHARACTERS = 40
MAX_MESSAGE_CHARACTERS = 400
"""The longest message that is read; longer ones are pasted, or tell a story."""
MIN_SIMILARITY = 0.5
"""The least share of common letters of two spellings; another name is another person."""

_SAYS_SO = re.compile(read_cue_piece("zh", "<SAYS_WRONG>") + "|其实|应该|实际|正确", re.IGNORECASE)
_MONTH = re.compile(rf"\b{MONTH}\b", re.IGNORECASE)
_DATE = re.compile(
    rf"(?:(?:the |of |on )?(?:{MONTH}|\d{{1,4}}(?:st|nd|rd|th)?)[ ,]*)+", re.IGNORECASE
)
_DAY = re.compile(r"(?:the )?\b\d{1,2}(?:st|nd|rd|th)?\b", re.IGNORECASE)
_LATIN_NAME = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*")

_PETS, _OWN_NAME = "pets", "name"
_WOMEN = frozenset({"wife", "girlfriend", "daughter", "mother", "sister"})
_MEN = frozenset({"husband", "boyfriend", "son", "father", "brother"})
_NAMELESS = frozenset({"allergies", "languages", "diet", "health_conditions", "skills", "job"})
"""Attributes whose values are no names."""


@dataclass(frozen=True)
class ValueCue(Cue):
    value: str
    wrong: str | None
    """The value that is said to be wrong; None if none is."""
    who: str | None
    is_named: bool
    """True if the value is said to be a name: 叫, 名字."""
    is_chinese: bool


@dataclass(frozen=True)
class ValueTarget:
    told: Proposal
    right: Proposal


class _ToldFact(NamedTuple):
    sentence: int
    """The number of its sentence among all that were read."""
    message: int
    fact: Proposal


class ValueCorrections:
    name = "value"

    def find_cues(self, said: CorrectedMessage) -> Iterator[ValueCue]:
        return _find_cues(said.message)

    def find_target(
        self,
        cue: ValueCue,
        told: Sequence[Proposal],  # noqa: ARG002 - as the kinds have it
        said: CorrectedMessage,
    ) -> ValueTarget | None:
        return _list_targets((*said.said_before, said.message)).get(cue)

    def restate(
        self,
        proposal: Proposal,
        cue: ValueCue,
        target: ValueTarget,
        said: CorrectedMessage,  # noqa: ARG002
    ) -> Proposal:
        told, right = target.told, target.right
        if (proposal.attribute, proposal.value) != (told.attribute, told.value):
            return proposal
        changed = {"value": right.value, "content": right.content, "entities": right.entities}
        # A corrected date is not the time of a statement.
        time = {} if proposal.time is None else {"time": None, "occurred_at": None}
        evidence = (*proposal.evidence, cue.citation)
        return proposal.model_copy(update={**changed, **time, "evidence": evidence})

    def tell_anew(
        self,
        cue: ValueCue,
        target: ValueTarget,
        told: Sequence[Proposal],
        said: CorrectedMessage,  # noqa: ARG002
    ) -> list[Proposal]:
        return [] if any(cue.citation in proposal.evidence for proposal in told) else [target.right]

    def is_spent_alone(self, cue: ValueCue, said: CorrectedMessage) -> bool:  # noqa: ARG002
        return False


def _find_cues(message: DialogueMessage) -> Iterator[ValueCue]:
    chinese = has_chinese(message.text)
    if chinese and len(message.text) > MAX_MESSAGE_CHARACTERS:
        return
    for sentence in split_declarative_sentences(message.text):
        if (cue := _parse_cue(sentence, message.number)) is not None:
            yield cue


def _parse_cue(sentence: str, message: int) -> ValueCue | None:
    chinese = has_chinese(sentence)
    if len(sentence) > (MAX_CHINESE_CUE_CHARACTERS if chinese else MAX_CUE_CHARACTERS):
        return None
    matches = CUES.matches(sentence)
    found = next(
        (match for match in matches if not chinese or _corrects_name(match, sentence)), None
    )
    if found is None:
        return None
    return ValueCue(
        rule=found.row.id,
        citation=MessageQuote(message=message, quote=sentence),
        spent=sentence,
        value=found.match["value"].strip(" ,"),
        wrong=found.group("wrong"),
        who=found.group("who"),
        is_named=found.group("verb") == "叫" or "名字" in sentence,
        is_chinese=chinese,
    )


def _corrects_name(found: CueMatch, sentence: str) -> bool:
    if found.group("wrong") is not None:
        return True
    begins = found.match.start("value")
    return is_name(found.match["value"]) and _SAYS_SO.search(sentence[:begins]) is not None


@lru_cache(maxsize=32)
def _list_targets(messages: tuple[DialogueMessage, ...]) -> Mapping[ValueCue, ValueTarget | None]:
    """Read the facts before each cue, as corrected so far, and choose its target.

    One pass serves all cues: a long message may have many, each behind many facts.
    """
    targets: dict[ValueCue, ValueTarget | None] = {}
    facts: list[_ToldFact] = []
    place = 0
    for message in messages:
        if message.role is not Role.USER:
            continue
        cues = (
            {value_cue.citation.quote: value_cue for value_cue in _find_cues(message)}
            if message.fresh
            else {}
        )
        for sentence in split_declarative_sentences(message.text):
            place += 1
            other = cues.get(sentence)
            target = _choose(other, facts, place) if other is not None else None
            if other is not None:
                targets.setdefault(other, target)
            if target is not None:
                facts = [fact for fact in facts if fact.fact != target.told]
                facts.append(_ToldFact(place, message.number, target.right))
                continue
            proposals = read_facts(
                sentence, SentenceSpeaker(Role.USER, None), message=message.number
            )
            held = [
                proposal
                for proposal in proposals
                if proposal.attribute and proposal.value and not proposal.ended
            ]
            facts += [_ToldFact(place, message.number, proposal) for proposal in held]
    return targets


def _choose(cue: ValueCue, facts: Sequence[_ToldFact], place: int) -> ValueTarget | None:
    if cue.is_chinese:
        return _choose_named(cue, facts)
    last = facts[-1] if facts and facts[-1].sentence == place - 1 else None
    if last is None or last.fact.value is None:
        return None
    value = _put_in_place(last.fact.value, cue.value)
    if value is None or value == last.fact.value or last.fact.value not in last.fact.content:
        return None
    return _correct_fact(last.fact, value, cue)


def _choose_named(cue: ValueCue, facts: Sequence[_ToldFact]) -> ValueTarget | None:
    """Return the only fact that the cue can correct; None otherwise."""
    near = [fact.fact for fact in facts if cue.message - fact.message <= MAX_MESSAGES_BACK]
    latest = {
        (proposal.attribute, proposal.value): proposal
        for proposal in near
        if proposal.value and proposal.value in proposal.content
    }
    fitting = [*latest.values()]
    if cue.wrong is not None:
        fitting = [proposal for proposal in fitting if proposal.value == cue.wrong]
    else:
        fitting = [proposal for proposal in fitting if _may_be_called(proposal, cue)]
        fitting = _list_facts_of(cue.who, fitting)
    fitting = [proposal for proposal in fitting if proposal.value != cue.value]
    return _correct_fact(fitting[0], cue.value, cue) if len(fitting) == 1 else None


def _may_be_called(fact: Proposal, cue: ValueCue) -> bool:
    value = fact.value or ""
    has_name = bool(fact.entities) or fact.attribute == _PETS
    if not has_name or fact.attribute in _NAMELESS or not is_name(value) or not is_name(cue.value):
        return False
    return cue.is_named or not set(value).isdisjoint(cue.value)


def _list_facts_of(who: str | None, facts: list[Proposal]) -> list[Proposal]:
    """Return the facts of the person meant: 他 is no daughter; an animal only without a person."""
    if who is None:
        return facts
    if who == "我":
        return [fact for fact in facts if fact.attribute == _OWN_NAME]
    if who == "它" or re.fullmatch(ANIMAL, who):
        return [fact for fact in facts if fact.attribute == _PETS]
    if who not in ("他", "她"):
        relation = RELATION_IN_ENGLISH.get(who, who)
        return [fact for fact in facts if fact.attribute == relation]
    excluded = _WOMEN if who == "他" else _MEN
    others = [fact for fact in facts if fact.attribute not in {*excluded, _OWN_NAME}]
    return [other for other in others if other.attribute != _PETS] or others


def _correct_fact(told: Proposal, value: str, cue: ValueCue) -> ValueTarget:
    wrong = told.value or ""
    changed = {
        "value": value,
        "content": told.content.replace(wrong, value),
        "replaces": wrong,
        "entities": tuple(value if entity == wrong else entity for entity in told.entities),
        "evidence": (cue.citation,),
    }
    return ValueTarget(told, told.model_copy(update=changed))


def _put_in_place(told: str, right: str) -> str | None:
    """Return the right value in the form of the told one; None if their forms differ."""
    if _DATE.fullmatch(told) and _DATE.fullmatch(right):
        if _MONTH.fullmatch(right) and _MONTH.search(told):
            return _MONTH.sub(right, told, count=1)
        if _DAY.fullmatch(right) and len(_DAY.findall(told)) == 1:
            return _DAY.sub(lambda day: _with_article_of(day[0], right), told, count=1)
        same_form = bool(_MONTH.search(told)) == bool(_MONTH.search(right))
        return right if same_form and len(told.split()) == len(right.split()) else None
    if _LATIN_NAME.fullmatch(told) and _LATIN_NAME.fullmatch(right):
        ratio = SequenceMatcher(None, told.casefold(), right.casefold()).ratio()
        return right if ratio >= MIN_SIMILARITY else None
    return None


def _with_article_of(told: str, right: str) -> str:
    bare = right.lower().removeprefix("the ")
    return f"the {bare}" if told.lower().startswith("the ") else bare
