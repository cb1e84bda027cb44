"""Merges facts of rules with statements in the speaker's words, so that each is told once.

A rule knows subject, attribute and value. The statement around it keeps what the rule leaves out:
since when, with whom, why.
"""

import re
from collections.abc import Sequence

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.attribute_names import (
    CONTACT_ATTRIBUTES,
    REGULAR_VALUES,
    TASTE_ATTRIBUTES,
    canonical_value,
    is_single_valued,
)
from palimpsest_language.attribution.attribute_finder import (
    AttributeValue,
    find_attribute_value,
    names_attribute,
)
from palimpsest_language.facts.fact_matcher import FactMatch
from palimpsest_language.local_extraction.lone_values import UP_TO_NOW, leave_value_alone
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.statements.message_reader import MessageUnderstanding, StatementProposal

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’]*|[\u3400-\u9fff]")
_DENIES = re.compile(r"\b(?:not|never|no|cannot)\b|n['’]t\b|[不没别]", re.IGNORECASE)
_NOW = re.compile(r"[，,；; ](?:现在|如今|目前)(?!不|没|也不|都不)")
MAX_SPARE_WORDS = 3
"""The most further words of a statement that add nothing to the rule's content."""

_POINTS_AT_NOBODY = frozenset({None, "it", "It", "that", "That", "this", "This"})
_OF_WHICH_ONE_IS_BEST = frozenset({"likes", "tools"})
_OF_THINGS = frozenset({"tools", "likes", "dislikes", "hobbies"})
_ONE_OF_A_KIND = ("preferred_", "host_of_", "main_", "primary_")
_FIRST_WORD = re.compile(r"^\W*[A-Za-z]+")
_NAME_OR_VERSION = re.compile(r"\b(?:[A-Z][\w.+#-]*[\w+#]|v?\d+(?:\.\d+)*)\b")
_WHERE = frozenset({"city", "employer"})
"""房子定了，月底搬到西丽: a decision on a home or employer holds from that day on."""

_CLAUSES = re.compile(r"[,，;；!！。]|\.\s")


def merge_facts_into_statements(
    understood: MessageUnderstanding, readings: Sequence[FactMatch], *, speaker: str | None = None
) -> list[Proposal]:
    """Return the proposals of one message, in order of its statements; facts of rules alone follow.

    `speaker` is the subject of a person's statements; None for messages of no person.
    """
    stated = list(understood.stated)
    taken: dict[int, Proposal] = {}
    first: dict[int, Proposal] = {}
    alone: list[Proposal] = []
    for reading in readings:
        if (
            _is_withheld(understood.judged, reading)
            and reading.proposal.attribute not in CONTACT_ATTRIBUTES
        ):
            continue
        place = next(
            (at for at, proposal in enumerate(stated) if _speaks_of(proposal, reading)), None
        )
        if place is not None and place in taken and _is_said_there(taken[place], reading.proposal):
            continue
        if place is not None and place in taken:
            taken[place] = _without(taken[place], first[place], reading.proposal)
        if place is None or place in taken:
            alone.append(reading.proposal)
        elif reading.proposal.ended and _NOW.search(stated[place].proposal.content):
            # An ended value and a present one are two statements.
            alone.append(reading.proposal)
        elif _knows_better(stated[place].proposal, reading.proposal):
            continue
        else:
            first[place] = reading.proposal
            taken[place] = _joined(stated[place], reading.proposal)
    told = {id(stated[at].statement) for at, rule in taken.items() if rule.replaces}
    over = [rule.value for rule in (*taken.values(), *alone) if rule.ended and rule.value]
    values = {_value(proposal) for proposal in (*taken.values(), *alone) if proposal.attribute}
    kept = [
        _narrowed(taken[at], proposal, speaker) if at in taken else _attributed(proposal, speaker)
        for at, proposal in enumerate(stated)
        # A rule that knows the replaced value has stated it.
        if (proposal.is_main or _value(proposal.proposal) not in values)
        and (
            proposal.is_main
            or proposal.proposal.kind is Kind.PERSON
            or id(proposal.statement) not in told
        )
        and (proposal.is_main or not _only_ends(proposal.proposal, over))
    ]
    return [part for proposal in kept + alone for part in leave_value_alone(proposal)]


def _only_ends(besides: Proposal, over: Sequence[str]) -> bool:
    """Tell whether a proposal only mentions the end of a value that a rule ends."""
    return besides.attribute is None and any(besides.content.endswith(value) for value in over)


def _attributed(stated: StatementProposal, speaker: str | None) -> Proposal:
    """Return a statement about the speaker, with its attribute, if no rule matched it."""
    proposal, parts = stated.proposal, stated.statement.parts
    if speaker is None or not stated.is_main or not proposal.kind.times.is_state:
        return proposal
    if proposal.attribute is not None or parts[0].pronoun not in _POINTS_AT_NOBODY:
        return proposal
    if any(part.withheld or part.coming for part in parts):
        return proposal
    said = find_attribute_value(_words(parts))
    if said is None or not _is_of(speaker, proposal.subject, said):
        return proposal
    about = {"kind": said.kind, "attribute": said.attribute, "value": said.value}
    return proposal.model_copy(update={**about, "subject": speaker})


def _narrowed(rule: Proposal, stated: StatementProposal, speaker: str | None) -> Proposal:
    """Return a liked thing as the favourite, which holds until another one replaces it."""
    if (
        speaker is None
        or rule.ended
        or rule.replaces
        or rule.attribute not in _OF_WHICH_ONE_IS_BEST
    ):
        return rule
    said = find_attribute_value(_words(stated.statement.parts))
    if said is None or said.kind is not Kind.PREFERENCE:
        return rule
    names_it = canonical_value(said.value) in canonical_value(rule.value)
    update = {"attribute": said.attribute, "value": said.value, "kind": said.kind}
    return rule.model_copy(update=update) if names_it else rule


def _is_of(speaker: str, subject: str | None, said: AttributeValue) -> bool:
    """Tell whether a value is the speaker's, though in “Home is Lyon” Home looks like a name."""
    if subject in (None, speaker):
        return True
    name = subject or ""
    return name.casefold() in said.value.casefold() or names_attribute(said.attribute, name)


def _words(parts: Sequence[ClauseJudgement]) -> str:
    separator = "，" if parts[0].chinese else ", "
    return separator.join(part.clause.text for part in parts)


def _value(proposal: Proposal) -> tuple[str | None, str | None, str | None]:
    return proposal.subject, proposal.attribute, proposal.value


def _is_said_there(told: Proposal, rule: Proposal) -> bool:
    """Tell whether a second rule for the same words adds nothing: no name, no age, no end."""
    value = (rule.value or "").removeprefix("the ")
    named = rule.ended or not value[:1].isascii() or value[:1].isupper()
    return rule.attribute != "age" and not named and value in told.content


def _knows_better(whole: Proposal, rule: Proposal) -> bool:
    """Tell whether the statement is right against the rule: a trip or a goal is no task."""
    if (rule.attribute or "").startswith(REGULAR_VALUES):
        return False
    if rule.kind is Kind.ACTION_ITEM and whole.kind.has(Wording.NO_TASK):
        return True
    if rule.kind is Kind.PERSON and not rule.entities and whole.subject != rule.subject:
        return True
    if _sets(whole, rule) or rule.attribute == "preferred_name" or _renames(whole, rule):
        return False
    # The end of a value must be told, whatever else the statement is.
    return whole.kind.has(Wording.OWN_KIND) and not rule.ended


def _renames(whole: Proposal, rule: Proposal) -> bool:
    """Tell whether what looks like a decision gives somebody a new name: 大名改成知夏."""
    attribute = rule.attribute or ""
    return whole.kind is Kind.DECISION and (
        (rule.kind is Kind.PERSON and bool(rule.entities)) or attribute == "business_name"
    )


def _sets(whole: Proposal, rule: Proposal) -> bool:
    """Tell whether a decision sets an attribute with one value, from then on."""
    return (
        whole.kind is Kind.DECISION
        and whole.subject in (None, rule.subject)
        and (rule.kind is Kind.PREFERENCE or rule.attribute in _WHERE)
        and is_single_valued(rule.attribute or "")
    )


def _joined(stated: StatementProposal, rule: Proposal) -> Proposal:
    whole = stated.proposal
    said_more = _words_in(whole.content) - _words_in(rule.content)
    timed = rule if rule.time is not None else whole
    until = None if _ends_elsewhere(rule, timed) else timed.valid_until
    quotes = [quote for quote in whole.evidence if quote.quote not in rule.evidence[0].quote]
    enough = said_more <= MAX_SPARE_WORDS and not _hides_denial(rule.content, whole.content)
    enough = enough and not _names_more(rule, whole)
    return rule.model_copy(
        update={
            "content": rule.content if enough or _says_it_all(rule) else whole.content,
            "time": timed.time,
            "occurred_at": timed.occurred_at,
            "valid_from": timed.valid_from,
            "valid_until": until,
            "evidence": (*rule.evidence, *quotes),
        }
    )


def _ends_elsewhere(rule: Proposal, timed: Proposal) -> bool:
    """Tell whether the end is of another clause than the value, or of what has lasted until now."""
    if timed is rule or timed.valid_until is None or timed.time is None or not rule.value:
        return False
    if UP_TO_NOW.search(timed.time.words):
        return True
    value, clauses = rule.value.casefold(), _CLAUSES.split(timed.content)
    clause = next((part for part in clauses if value in part.casefold()), timed.content)
    return timed.time.words not in clause


def _without(told: Proposal, rule: Proposal, other: Proposal) -> Proposal:
    """Return “a nurse at St Mary's” without the place, if that is told by itself: it may end."""
    if not all(is_single_valued(proposal.attribute or "") for proposal in (rule, other)):
        return told
    if rule.ended or other.ended or (other.value or "") not in told.content:
        return told
    said_more = _words_in(told.content) - _words_in(rule.content) - _words_in(other.value or "")
    return (
        told.model_copy(update={"content": rule.content}) if said_more <= MAX_SPARE_WORDS else told
    )


def _words_in(text: str) -> int:
    return len(_WORD.findall(text))


def _says_it_all(rule: Proposal) -> bool:
    """Tell whether the rule's words are enough: the end of a value needs no successor.

    A taste is the exception.
    """
    if rule.kind is Kind.PERSON and rule.replaces is not None:
        # A new name is enough; its story is of no use.
        return True
    return (
        rule.ended and rule.attribute not in TASTE_ATTRIBUTES
    ) or rule.attribute == "preferred_name"


def _names_more(rule: Proposal, whole: Proposal) -> bool:
    """Tell whether the rule leaves out a name or version: “Nuxt 4 + SQLite”.

    Words of a time are no such name.
    """
    if rule.attribute not in _OF_THINGS and not (rule.attribute or "").startswith(_ONE_OF_A_KIND):
        return False
    spare = whole.content
    for time in (whole.time, *whole.mentions):
        spare = spare.replace(time.words, " ") if time is not None else spare
    return any(
        name not in rule.content for name in _NAME_OR_VERSION.findall(_FIRST_WORD.sub("", spare))
    )


def _hides_denial(rule: str, whole: str) -> bool:
    """Tell whether the rule leaves out a denial: “I can't eat prawns, allergy”."""
    return _DENIES.search(whole) is not None and _DENIES.search(rule) is None


def _speaks_of(stated: StatementProposal, reading: FactMatch) -> bool:
    return any(_holds(part, reading) for part in stated.statement.parts)


def _is_withheld(judged: Sequence[ClauseJudgement], reading: FactMatch) -> bool:
    return any(
        (clause_judgement.withheld or clause_judgement.aside) and _holds(clause_judgement, reading)
        for clause_judgement in judged
    )


def _holds(part: ClauseJudgement, reading: FactMatch) -> bool:
    if part.clause.sentence != reading.proposal.evidence[0].quote:
        return False
    return part.clause.start <= reading.start < part.clause.end
