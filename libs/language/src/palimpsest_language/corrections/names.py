"""Corrections of names: "we got a puppy, Rex" – "actually his name is Max".

The target is the person or animal named in the last few messages, if only one is possible.
Proposals of this window get the right name. For proposals of an earlier window a new statement of
the name is proposed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.corrections.correction import MAX_CUE_CHARACTERS, CorrectedMessage, Cue
from palimpsest_language.corrections.cue_table import CueMatch, CueTable
from palimpsest_language.corrections.name_mentions import (
    NAME,
    NameMention,
    capitalize_name,
    find_name_mentions,
    is_pet_title,
    is_unspecific_title,
)
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.plans.plan_amendments import format_amended_plan, is_meant
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.statements.people import MentionedPerson, matches_pronoun

CUES = CueTable("name", {"en": {"NAME": NAME}})

MAX_MESSAGES_BACK = 6
"""The most messages between a name and its correction."""
MIN_SIMILARITY = 0.5
"""The least share of common letters of two names, if only “I meant” marks the wrong one."""

_MAY_CORRECT = re.compile(
    r"\b(?:names?|called|named|not|meant|its|typo|auto-?correct|wrong|spel\w+|oops|whoops|sorry)\b"
    r"|['’]s\b",
    re.IGNORECASE,
)
_GENDERED = {"he": "he", "his": "he", "she": "she", "her": "she"}


@dataclass(frozen=True)
class NameCue(Cue):
    above: str
    """The words of the message before the cue."""
    name: str
    wrong: str | None
    """The name that is said to be wrong; None if none is."""
    pronoun: str
    title: str | None
    is_like_the_slip: bool


class NameCorrections:
    name = "name"

    def find_cues(self, said: CorrectedMessage) -> Iterator[NameCue]:
        text = said.message.text
        for sentence in said.sentences():
            cue = _parse_cue(sentence, said.message.number, text[: text.find(sentence)])
            if cue is not None:
                yield cue
                if sentence == text.strip():
                    return

    def find_target(
        self,
        cue: NameCue,
        told: Sequence[Proposal],  # noqa: ARG002 - as the kinds have it
        said: CorrectedMessage,
    ) -> NameMention | None:
        """Return the only name that can be meant.

        A pronoun decides between a sister, who is certainly "she", and a friend, who may be: the
        sister is meant.
        """
        mentions = _list_mentions(cue, said)
        fitting = {
            mention.name.casefold(): mention for mention in mentions if _may_be_meant(cue, mention)
        }
        surely = [each for each in fitting.values() if _is_surely_meant(cue, each)]
        likely = surely or [*fitting.values()]
        return likely[0] if len(likely) == 1 else None

    def restate(
        self,
        proposal: Proposal,
        cue: NameCue,
        target: NameMention,
        said: CorrectedMessage,  # noqa: ARG002
    ) -> Proposal:
        return _with_name(proposal, target.name, cue)

    def tell_anew(
        self, cue: NameCue, target: NameMention, told: Sequence[Proposal], said: CorrectedMessage
    ) -> list[Proposal]:
        if target.fresh:
            return []
        known = {proposal.content for proposal in told}
        return [
            proposal
            for proposal in _tell_anew(target, cue, said.before)
            if proposal.content not in known
        ]

    def is_spent_alone(self, cue: NameCue, said: CorrectedMessage) -> bool:
        """Tell whether several names may be meant, so that the right name belongs to none."""
        return len(_list_mentions(cue, said)) > 1


def _parse_cue(sentence: str, message: int, above: str) -> NameCue | None:
    if len(sentence) > MAX_CUE_CHARACTERS or "?" in sentence or not _MAY_CORRECT.search(sentence):
        return None
    found = CUES.match(sentence)
    if found is None:
        return None
    name, wrong = capitalize_name(found.group("name")), capitalize_name(found.group("wrong"))
    pronoun = (found.group("whose") or found.group("who") or "").lower()
    if name is None or name == wrong or (pronoun and not _is_marked(found)):
        return None
    title = found.group("title")
    return NameCue(
        rule=found.row.id,
        citation=MessageQuote(message=message, quote=sentence),
        spent=sentence,
        above=above,
        name=name,
        wrong=wrong,
        pronoun=pronoun,
        title=title and title.lower(),
        is_like_the_slip=found.row.is_like_the_slip,
    )


def _is_marked(found: CueMatch) -> bool:
    """Tell whether the cue marks a correction: “his name is Max” alone is an introduction."""
    return any(map(found.group, ("slip", "surely", "after", "wrong")))


def _list_mentions(cue: NameCue, said: CorrectedMessage) -> list[NameMention]:
    mentions: list[NameMention] = []
    for message in said.said_before:
        if message.role is Role.USER and cue.message - message.number <= MAX_MESSAGES_BACK:
            mentions += find_name_mentions(message.text, message.number, fresh=message.fresh)
    return [*mentions, *find_name_mentions(cue.above, cue.message, fresh=True)]


def _may_be_meant(cue: NameCue, mention: NameMention) -> bool:
    if mention.name.casefold() == cue.name.casefold():
        return False
    if cue.wrong is not None:
        return mention.name.casefold() == cue.wrong.casefold()
    if cue.title is not None:
        return mention.title is not None and mention.title.split()[-1] == cue.title.split()[-1]
    if cue.is_like_the_slip:
        return _are_similar(mention.name, cue.name)
    if mention.pronoun and cue.pronoun in _GENDERED and mention.pronoun in _GENDERED:
        return _GENDERED[mention.pronoun] == _GENDERED[cue.pronoun]
    return matches_pronoun(MentionedPerson(mention.title, mention.name), cue.pronoun)


def _is_surely_meant(cue: NameCue, mention: NameMention) -> bool:
    """Tell whether the pronoun fits the person, and the other pronoun does not."""
    pronoun = _GENDERED.get(cue.pronoun)
    if pronoun is None:
        return False
    other = "she" if pronoun == "he" else "he"
    person = MentionedPerson(mention.title, mention.name)
    return mention.pronoun is not None or not matches_pronoun(person, other)


def _are_similar(one: str, other: str) -> bool:
    ratio = SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
    return ratio >= MIN_SIMILARITY


def _with_name(proposal: Proposal, wrong: str, cue: NameCue) -> Proposal:
    word = re.compile(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])", re.IGNORECASE)
    told = (proposal.content, proposal.subject, proposal.value)
    if cue.citation in proposal.evidence or not any(text and word.search(text) for text in told):
        return proposal
    content, subject, value = (text and word.sub(cue.name, text) for text in told)
    entities = tuple(word.sub(cue.name, entity) for entity in proposal.entities)
    fields = {"content": content, "subject": subject, "value": value, "entities": entities}
    evidence = (*proposal.evidence, cue.citation)
    return proposal.model_copy(update={**fields, "summary": None, "evidence": evidence})


def _tell_anew(
    mention: NameMention, cue: NameCue, before: Sequence[Proposal]
) -> Iterator[Proposal]:
    """Return a proposal of an earlier window again, with the right name alone."""
    speaker = SentenceSpeaker(Role.USER, None)
    facts = [
        fact
        for fact in read_facts(mention.sentence, speaker, message=mention.message)
        if fact.value is not None and fact.value.casefold() == mention.name.casefold()
    ]
    for each in facts:
        replaced = {"replaces": each.value, "evidence": (cue.citation,)}
        yield _with_name(each, mention.name, cue).model_copy(update=replaced)
    plans = [proposal for proposal in before if _is_plan_with(proposal, mention.name)]
    for plan in plans:
        yield _amend_plan(plan, mention.name, cue)
    if not facts and not plans and mention.title is not None:
        yield from _state_name(mention.title, mention.name, cue)


def _is_plan_with(proposal: Proposal, name: str) -> bool:
    """Tell whether the proposal, told again, replaces its earlier form."""
    if proposal.attribute is not None or proposal.kind not in PLAN_KINDS:
        return False
    return proposal.content.count(name) == 1 and is_meant(proposal.content)


def _amend_plan(plan: Proposal, wrong: str, cue: NameCue) -> Proposal:
    whole = _with_name(plan, wrong, cue)
    before, _, behind = whole.content.partition(cue.name)
    content = format_amended_plan(before, wrong, cue.name, behind)
    return whole.model_copy(update={"content": content})


def _state_name(title: str, wrong: str, cue: NameCue) -> Iterator[Proposal]:
    """Yield proposals of the right name, if nothing else about its bearer is known."""
    name, stated = cue.name, {"confidence": 0.9, "evidence": (cue.citation,)}
    whose = "The" if is_unspecific_title(title) else "The user's"
    about = {"content": f"{whose} {title} is called {name}, not {wrong}", "entities": (name,)}
    if is_pet_title(title):
        pet = {"subject": "user", "attribute": "pets", "value": name, "replaces": wrong}
        yield Proposal(kind=Kind.FACT, **pet, **about, **stated)
        return
    if is_unspecific_title(title):
        yield Proposal(kind=Kind.PERSON, subject=name, **about, **stated)
        return
    relation = {"kind": Kind.PERSON, "attribute": "relation", "value": title, **stated}
    yield Proposal(subject=name, **about, **relation)
    over = f"The user's {title} is not called {wrong}"
    yield Proposal(content=over, subject=wrong, ended=True, **relation)
