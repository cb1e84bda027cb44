"""A name that was told wrong: “we got a puppy, Rex” – “actually his name is Max”.

It is of the one who was named in the last few messages, where there is exactly one; else nothing is
set right. What was told in this window is told with the right name; of what was told in an earlier
one it is told anew who is called how.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.corrections.corrected_statement import list_user_messages, rests_only_on
from palimpsest_language.corrections.english_cues import (
    LEAD,
    MARKS,
    MAX_CORRECTION_CHARACTERS,
    NO,
    SLIP,
)
from palimpsest_language.corrections.name_mentions import (
    NAME,
    NameMention,
    capitalize_name,
    find_name_mentions,
    is_pet_title,
    is_unspecific_title,
)
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.plans.plan_amendments import format_amended_plan, is_meant
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.statements.people import MentionedPerson, matches_pronoun

LATELY = 6
"""Messages before the one that sets a name right."""
LEAST_ALIKE = 0.5
"""Of the letters of two names, where only “I meant” says which is which."""

_SLIPS = rf"(?:(?:{SLIP}|{NO}){MARKS}(?:and |but )?)"
_SURELY = r"(?:actually|really|in fact)"
_WHOSE = r"(?P<whose>his|her|its|their|(?:the|my|our) (?P<title>\w+(?: \w+)?)['’]?s)"
_CALLED = rf"(?:{_WHOSE} (?:real |actual |full |first )?name(?:['’]?s| is| was)|(?P<who>he|she|it|they)(?:['’]?s| is|['’]?re| are) (?:{_SURELY} )?(?:called|named))"
_NOT = rf"(?:not|instead of|rather than) (?P<old>{NAME})"
_BEHIND = rf"(?:{MARKS}(?:btw|by the way|sorry|sry|my bad|my mistake|i mean(?:t)?|though|lol|haha+|(?:i )?(?:got|had|said|wrote|spelt|spelled) (?:that|it) wrong|typo))*[.! )]*"
_CORRECTS = re.compile(
    rf"{LEAD}(?:"
    rf"(?P<slip>{_SLIPS}+)?(?P<called>{_CALLED}) (?P<surely>{_SURELY} )?(?P<new>{NAME})(?P<after>,? {_SURELY})?(?:{MARKS}{_NOT})?{_BEHIND}"
    rf"|(?P<meant>{_SLIPS}*)(?:(?:it|that)['’]?s )?(?P<instead>{NAME}){MARKS}{_NOT.replace('old', 'wrong')}{_BEHIND}"
    rf"|(?:and |also )?(?:it|that)['’]?s (?P<typo>{NAME}){MARKS}(?:{SLIP}|spelt wrong|with an? \w){_BEHIND}"
    rf"|(?P<alike>{_SLIPS}*(?:i )?meant (?:to (?:say|write|type) )?)(?P<like>{NAME}){_BEHIND}"
    r")",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:names?|called|named|not|meant|its|typo)\b|['’]s\b", re.IGNORECASE)


class NameCorrection(NamedTuple):
    sentence: str
    message: int
    name: str
    wrong: str | None
    """The name that it says was wrong."""
    pronoun: str
    title: str | None
    only_alike: bool


def correct_names(
    proposals: Sequence[Proposal],
    message: DialogueMessage,
    said_before: Sequence[DialogueMessage],
    *,
    before: Sequence[Proposal] = (),
) -> list[Proposal]:
    """With the names that this message says are the right ones. `before` was told in an earlier window."""
    found = list(proposals)
    for correction, above in _corrections(message):
        named = list(_named_lately(message, above, said_before))
        cited = MessageQuote(message=message.number, quote=correction.sentence)
        of_user = list_user_messages(message, said_before)
        told = [each for each in found if not rests_only_on(each, cited, of_user)]
        if (meant := _meant(correction, named)) is None:
            # Whoever is called so, it is not told of whoever was spoken of last.
            found = told if len(named) > 1 else found
            continue
        found = [_with_name(each, meant.name, correction.name, cited) for each in told]
        if not meant.fresh:
            anew = _told_anew(meant, correction.name, cited, before)
            known = {each.content for each in found}
            found += [each for each in anew if each.content not in known]
    return found


def _corrections(message: DialogueMessage) -> Iterator[tuple[NameCorrection, str]]:
    """Each with what the message says before it."""
    whole = message.text.strip()
    for sentence in dict.fromkeys((whole, *map(str.strip, split_sentences(message.text)))):
        if (
            len(sentence) > MAX_CORRECTION_CHARACTERS
            or "?" in sentence
            or not _MAY.search(sentence)
        ):
            continue
        if (found := _correction(sentence, message.number)) is not None:
            yield found, message.text[: message.text.find(sentence)]
            if sentence == whole:
                return


def _correction(sentence: str, message: int) -> NameCorrection | None:
    match = _CORRECTS.fullmatch(sentence)
    if match is None:
        return None
    name = capitalize_name(match["new"] or match["instead"] or match["typo"] or match["like"])
    wrong = capitalize_name(match["old"] or match["wrong"])
    if name is None or name == wrong:
        return None
    is_correction = match["slip"] or match["surely"] or match["after"] or wrong
    if match["called"] and not is_correction:
        return None
    pronoun = (match["whose"] or match["who"] or "").lower()
    title = match["title"]
    return NameCorrection(
        sentence,
        message,
        name,
        wrong,
        pronoun,
        title and title.lower(),
        bool(match["like"] or match["typo"]),
    )


def _named_lately(
    message: DialogueMessage, above: str, said_before: Sequence[DialogueMessage]
) -> Iterator[NameMention]:
    for one in said_before:
        if one.role is Role.USER and message.number - one.number <= LATELY:
            yield from find_name_mentions(one.text, one.number, fresh=one.fresh)
    yield from find_name_mentions(above, message.number, fresh=True)


def _meant(correction: NameCorrection, named: Sequence[NameMention]) -> NameMention | None:
    """The one that it can be; None where there are several, or none.

    Your sister is she, your friend may be: of both the sister is meant.
    """
    fitting = {each.name.casefold(): each for each in named if _may_be_meant(correction, each)}
    surely = [each for each in fitting.values() if _is_surely(correction, each)]
    likely = surely or [*fitting.values()]
    return likely[0] if len(likely) == 1 else None


def _may_be_meant(correction: NameCorrection, named: NameMention) -> bool:
    if named.name.casefold() == correction.name.casefold():
        return False
    if correction.wrong is not None:
        return named.name.casefold() == correction.wrong.casefold()
    if correction.title is not None:
        return named.title is not None and named.title.split()[-1] == correction.title.split()[-1]
    if correction.only_alike:
        return _alike(named.name, correction.name)
    if named.pronoun and correction.pronoun in _GENDERED and named.pronoun in _GENDERED:
        return _GENDERED[named.pronoun] == _GENDERED[correction.pronoun]
    return matches_pronoun(MentionedPerson(named.title, named.name), correction.pronoun)


def _is_surely(correction: NameCorrection, named: NameMention) -> bool:
    """Tell whether the pronoun is theirs and could not be the other one."""
    pronoun = _GENDERED.get(correction.pronoun)
    if pronoun is None:
        return False
    other = "she" if pronoun == "he" else "he"
    return named.pronoun is not None or not matches_pronoun(
        MentionedPerson(named.title, named.name), other
    )


_GENDERED = {"he": "he", "his": "he", "she": "she", "her": "she"}


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= LEAST_ALIKE


def _with_name(proposal: Proposal, old: str, new: str, cited: MessageQuote) -> Proposal:
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])", re.IGNORECASE)
    told = (proposal.content, proposal.subject, proposal.value)
    if cited in proposal.evidence or not any(text and word.search(text) for text in told):
        return proposal
    content, subject, value = (None if text is None else word.sub(new, text) for text in told)
    entities = tuple(word.sub(new, one) for one in proposal.entities)
    fields = {"content": content, "subject": subject, "value": value, "entities": entities}
    evidence = (*proposal.evidence, cited)
    return proposal.model_copy(update={**fields, "summary": None, "evidence": evidence})


def _is_plan_with(proposal: Proposal, name: str) -> bool:
    """Tell whether it takes the place of itself where it is told anew."""
    if proposal.attribute is not None or proposal.kind not in PLAN_KINDS:
        return False
    return proposal.content.count(name) == 1 and is_meant(proposal.content)


def _told_anew(
    meant: NameMention, name: str, cited: MessageQuote, before: Sequence[Proposal]
) -> Iterator[Proposal]:
    """Return what an earlier window told of the name.

    Under the right one, and no longer under the wrong.
    """
    rules = [
        each
        for each in read_facts(
            meant.sentence, SentenceSpeaker(Role.USER, None), message=meant.message
        )
        if each.value is not None and each.value.casefold() == meant.name.casefold()
    ]
    for each in rules:
        yield _with_name(each, meant.name, name, cited).model_copy(
            update={"replaces": each.value, "evidence": (cited,)}
        )
    plans = [each for each in before if _is_plan_with(each, meant.name)]
    for each in plans:
        whole = _with_name(each, meant.name, name, cited)
        place = whole.content.index(name)
        content = format_amended_plan(
            whole.content[:place], meant.name, name, whole.content[place + len(name) :]
        )
        yield whole.model_copy(update={"content": content})
    if rules or plans or meant.title is None:
        return
    whose = "The" if is_unspecific_title(meant.title) else "The user's"
    content = f"{whose} {meant.title} is called {name}, not {meant.name}"
    about = {"confidence": 0.9, "evidence": (cited,)}
    if is_pet_title(meant.title):
        yield Proposal(
            kind=Kind.FACT, content=content, subject="user", attribute="pets", value=name,
            replaces=meant.name, entities=(name,), **about,
        )  # fmt: skip
        return
    if is_unspecific_title(meant.title):
        yield Proposal(kind=Kind.PERSON, content=content, subject=name, entities=(name,), **about)
        return
    relation = {"attribute": "relation", "value": meant.title, **about}
    yield Proposal(kind=Kind.PERSON, content=content, subject=name, entities=(name,), **relation)
    over = f"The user's {meant.title} is not called {meant.name}"
    yield Proposal(kind=Kind.PERSON, content=over, subject=meant.name, ended=True, **relation)
