"""A slip set right: "no wait, it's Cate with a C", "sorry, July 1976". It says what the statement before it meant."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.chinese_name_corrections import find_chinese_name_corrections
from palimpsest_language.corrections.corrected_statement import build_corrected_statement
from palimpsest_language.corrections.time_substitution import MONTH
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.proposals import MessageQuote, Proposal

_FILLERS = r"(?:(?:oh|ah|oops|whoops|no|nope|sorry|wait|actually|hang on|hold on|my (?:bad|mistake)|I mean(?:t)?|correction|scratch that|typo|make that|and|but)\b[,.!:;… —–-]*)"
_MARKS = r"\b(?:sorry|wait|oops|whoops|mean|meant|typo|correction|scratch that|bad|mistake|hang on|hold on|make that|should be|spel(?:led|t)|with an? [A-Z]\b)"
_MARKED = re.compile(_MARKS, re.IGNORECASE)
_CORRECTS = re.compile(
    rf"^(?=.*{_MARKS}){_FILLERS}+"
    r"(?:(?:it['’]?s|it is|that['’]?s|(?:that|it) should be|should be|spel(?:led|t)|it was)\s+)?"
    r"(?P<value>[A-Za-z0-9][\w'’ ,-]{0,30}?)(?:,? (?:with (?:an? )?|not |spel(?:led|t) )[\w'’ ]{1,30})?[.! ]*$",
    re.IGNORECASE,
)
_A_MONTH = re.compile(rf"\b{MONTH}\b", re.IGNORECASE)
_DATE = re.compile(
    rf"(?:(?:the |of |on )?(?:{MONTH}|\d{{1,4}}(?:st|nd|rd|th)?)[ ,]*)+", re.IGNORECASE
)
_A_DAY = re.compile(r"(?:the )?\b\d{1,2}(?:st|nd|rd|th)?\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*")
MAX_CORRECTION_CHARACTERS = 80
"""Characters of what sets a slip right: whoever says more says something else."""
MIN_NAME_SIMILARITY = 0.5
"""Of the letters of two spellings of one name; another name is another person."""


def correct_values(
    proposals: Sequence[Proposal], messages: Sequence[DialogueMessage]
) -> list[Proposal]:
    """With what was meant in the place of each slip; the words that say so say nothing by themselves."""
    found = list(proposals)
    for said, meant in (*_corrections(messages), *find_chinese_name_corrections(messages)):
        cited = meant.evidence[0]
        found = [each for each in found if not _rests_on(each, cited)]
        slip = next((each for each in found if _is_value(each, said)), None)
        if slip is None:
            found.append(meant)
            continue
        evidence = (*slip.evidence, cited)
        right = {"value": meant.value, "content": meant.content, "entities": meant.entities}
        # A date that was told wrong is no time of anything.
        time = {} if slip.time is None else {"time": None, "occurred_at": None}
        found[found.index(slip)] = slip.model_copy(update={**right, **time, "evidence": evidence})
    return found


def _rests_on(proposal: Proposal, cited: MessageQuote) -> bool:
    """Tell whether on nothing else."""
    return all(
        each.message == cited.message and each.quote in cited.quote for each in proposal.evidence
    )


def _is_value(proposal: Proposal, said: Proposal) -> bool:
    return (proposal.attribute, proposal.value) == (said.attribute, said.value)


def _may_correct(text: str) -> bool:
    # A long text is not taken apart for what most messages have not.
    return _MARKED.search(text) is not None and any(
        len(sentence) <= MAX_CORRECTION_CHARACTERS and _CORRECTS.match(sentence)
        for sentence in split_declarative_sentences(text)
    )


def _corrections(messages: Sequence[DialogueMessage]) -> Iterator[tuple[Proposal, Proposal]]:
    """Return what was said, and what was meant, of each slip that a fresh message sets right."""
    if not any(message.fresh and _may_correct(message.text) for message in messages):
        return
    said: Proposal | None = None
    for message in messages:
        if message.role is not Role.USER:
            continue
        for sentence in split_declarative_sentences(message.text):
            meant = _meant(sentence, said, message.number) if message.fresh else None
            if said is not None and meant is not None:
                yield said, meant
                said = meant
                continue
            found = read_facts(sentence, SentenceSpeaker(Role.USER, None), message=message.number)
            held = [one for one in found if one.attribute and one.value and not one.ended]
            said = held[-1] if held else None


def _meant(sentence: str, said: Proposal | None, message: int) -> Proposal | None:
    match = _CORRECTS.match(sentence)
    if match is None or said is None or said.value is None:
        return None
    value = _in_place(said.value, match["value"].strip(" ,"))
    if value is None or value == said.value or said.value not in said.content:
        return None
    return build_corrected_statement(
        said, said.value, value, MessageQuote(message=message, quote=sentence)
    )


def _in_place(said: str, meant: str) -> str | None:
    """Return what stands in the place of what was said, where it is of the same sort."""
    if _DATE.fullmatch(said) and _DATE.fullmatch(meant):
        if _A_MONTH.fullmatch(meant) and _A_MONTH.search(said):
            return _A_MONTH.sub(meant, said, count=1)
        if _A_DAY.fullmatch(meant) and len(_A_DAY.findall(said)) == 1:
            return _A_DAY.sub(lambda found: _like(found[0], meant), said, count=1)
        same = bool(_A_MONTH.search(said)) == bool(_A_MONTH.search(meant))
        return meant if same and len(said.split()) == len(meant.split()) else None
    if _NAME.fullmatch(said) and _NAME.fullmatch(meant):
        alike = SequenceMatcher(None, said.casefold(), meant.casefold()).ratio()
        return meant if alike >= MIN_NAME_SIMILARITY else None
    return None


def _like(said: str, meant: str) -> str:
    """With an article where there was one."""
    bare = meant.lower().removeprefix("the ")
    return f"the {bare}" if said.lower().startswith("the ") else bare
