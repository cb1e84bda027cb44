"""Secondary facts of a statement: who somebody is, and what no longer holds.

"My sister Lena moved to Graz" tells of a move, and that Lena is a sister; "from Vim to Helix"
tells of the one, and that the other is over.
"""

import re
from collections.abc import Iterator

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.places import find_place_at
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.english_kind_cues import RELATIVES
from palimpsest_language.statements.people import (
    APPOSITION_ENDS,
    MentionedPerson,
    find_mentioned_person,
)

_AT_WORK = (
    r"(?:[a-z]*keeper|accountant|lawyer|solicitor|coach|trainer|assistant|editor|agent|nurse"
    r"|physio|plumber|builder|gardener"
    r"|cleaner|nanny|childminder|babysitter|producer|designer|architect|client|student|pupil"
    r"|intern|apprentice|captain)"
)
_PHRASES = read_phrases("statements/secondary_facts")
_FORMER_CHOICE = {
    chinese: _PHRASES[f"{language}_former_choice"]
    for chinese, language in ((False, "english"), (True, "chinese"))
}
_SPEAKER_IN = re.compile(
    r"(?:^|(?<=[，, ]))(?:(?:我们?|人|现在|目前|一直|家|就|也|都|自己)*)在(?=[\u4e00-\u9fff])"
)
_ON_THIS_SIDE = re.compile(r"[这][边里儿](?!有|的?人)")
_MOVES_ABOUT = _PHRASES["moves_about"]
_NO_NAME_OF_A_THING = _PHRASES["no_name_of_a_thing"]
_OF_OTHERS = frozenset({"his", "her", "their"})
_IS_WHOSE = re.compile(
    (
        rf"\b(?P<whose>my|our|his|her|their) (?P<title>(?:\w+ )?(?:{RELATIVES}|{_AT_WORK}))"
        r"(?P<comma>,)? (?P<name>(?-i:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?-i:(?!(?:Mr|Mrs|Ms|Dr|Prof)\b)"
        rf"[A-Z][a-zà-ÿ]+))\b(?(comma){APPOSITION_ENDS})"
    ),
    re.IGNORECASE,
)


def find_secondary_facts(
    main: Proposal, core: str, who: str, *, chinese: bool
) -> Iterator[Proposal]:
    """Return what else the words say that state `main`."""
    person = find_mentioned_person(core, chinese=chinese)
    if person is not None and person.title and person.name:
        content = (
            f"{person.name}是{who}的{person.title}"
            if chinese
            else f"{person.name} is {who}'s {person.title}"
        )
        yield Proposal(
            kind=Kind.PERSON,
            content=content,
            subject=person.name,
            attribute="relation",
            value=person.title,
            entities=(person.name,),
            confidence=main.confidence,
            evidence=main.evidence,
        )
    if (
        chinese
        and main.kind.has(Wording.CIRCUMSTANCE)
        and (place := find_home_place(core)) is not None
    ):
        yield Proposal(
            kind=Kind.FACT,
            content=f"{who}在{place}",
            subject=main.subject,
            attribute="city",
            value=place,
            entities=(place,),
            confidence=main.confidence,
            evidence=main.evidence,
        )
    if not chinese:
        yield from _others(main, core, who, known=person)
    old = find_former_choice(core, chinese=chinese)
    if (
        old is not None
        and main.kind.has(Wording.CIRCUMSTANCE)
        and old.casefold() not in _answers(main)
    ):
        yield Proposal(
            kind=main.kind,
            content=f"{who}之前的{old}：不再如此" if chinese else f"No longer so for {who}: {old}",
            subject=main.subject,
            confidence=main.confidence,
            evidence=main.evidence,
        )


def _others(
    main: Proposal, core: str, who: str, *, known: MentionedPerson | None
) -> Iterator[Proposal]:
    """“My cousin with his wife Meera”, “our bookkeeper Farah”: what they are to whom."""
    for match in _IS_WHOSE.finditer(core):
        title, name = match["title"], match["name"]
        if known is not None and known.name == name:
            continue
        whose = who
        if match["whose"].lower() in _OF_OTHERS:
            other = known.subject if known is not None else main.subject
            if other in {None, "", "user", who, name}:
                continue
            whose = f"{who}'s {other}" if str(other)[:1].islower() else str(other)
        yield Proposal(
            kind=Kind.PERSON,
            content=f"{name} is {whose}'s {title}",
            subject=name,
            attribute="relation" if whose == who else None,
            value=title if whose == who else None,
            entities=(name,),
            confidence=main.confidence,
            evidence=main.evidence,
        )


def find_home_place(core: str) -> str | None:
    """Return where the speaker is at home, said on the way to something else.

    None where they only are on a visit.
    """
    if _MOVES_ABOUT.search(core):
        return None
    for match in _SPEAKER_IN.finditer(core):
        if place := find_place_at(core, match.end()):
            return place
    for match in _ON_THIS_SIDE.finditer(core):
        for start in range(match.start()):
            if find_place_at(core, start) == core[start : match.start()]:
                return core[start : match.start()]
    return None


def find_former_choice(core: str, *, chinese: bool) -> str | None:
    """Return what somebody has changed from; None where nothing is said of that."""
    match = _FORMER_CHOICE[chinese].search(core)
    old = next((text for text in match.groups() if text), None) if match else None
    if old is None or _NO_NAME_OF_A_THING.search(old.strip()):
        return None
    return old.strip()


def _answers(main: Proposal) -> str:
    return (main.replaces or "").casefold()
