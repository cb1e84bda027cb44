"""Finds who takes a medicine: 我妈换药了，换成缬沙坦了 is about the mother."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.fact_matcher import FactMatch
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.people import (
    CHINESE_TITLES,
    MentionedPerson,
    build_relative,
    find_subject_person,
)

MESSAGES_LOOKED_BACK = 2
"""Messages before in which the person may have been named."""

_ATTRIBUTE = "medication"
_NOT_OF_THEM = r"(?!呀|介绍|推荐|说|的?公司|的?医院)"
"""朋友推荐的药, 我妈说我换药了: a named person who does not take the medicine."""
_NAMED = re.compile(
    rf"(?<![跟和与听问])(?<![跟和与听问]我)(?P<title>老太太|老爷子|老头子?|{CHINESE_TITLES})"
    rf"{_NOT_OF_THEM}"
    r"|(?<=[给帮让陪])(?P<name>[小阿][\u4e00-\u9fff])"
    r"|(?P<pronoun>[他她])(?!们|汀|定|克莫司|乐克)"
    rf"|(?P<me>我(?!们?家?的?(?:{CHINESE_TITLES}|老[太爷头])))"
)
_CLAUSE_END = re.compile(r"[，,。；;！!？?\n]")


@dataclass
class MedicineSubjects:
    """The medicines of one window, in order."""

    conversation: ConversationState

    def told(
        self,
        matches: Iterable[FactMatch],
        text: str,
        before: Sequence[DialogueMessage],
        teller: MessageSpeaker,
    ) -> Iterator[FactMatch]:
        """Yield the matches, each medicine with the person who takes it.

        A medicine of an unknown 她 is left out.
        """
        speaker = teller.subject
        for reading in matches:
            told = reading.proposal
            if told.attribute != _ATTRIBUTE or not has_chinese(told.evidence[0].quote):
                yield reading
                continue
            named = _named(text, _end_of_clause(text, reading), before[-MESSAGES_LOOKED_BACK:])
            subject = self._subject(named, speaker)
            if subject is not None:
                yield (
                    reading if subject == speaker else replace(reading, proposal=_of(subject, told))
                )

    def _subject(self, named: re.Match[str] | MentionedPerson | None, speaker: str) -> str | None:
        if isinstance(named, MentionedPerson):
            return named.subject
        if named is None or named["me"]:
            return speaker
        if named["pronoun"]:
            meant = self.conversation.meant_by(named["pronoun"])
            return meant.subject if meant else None
        return named["name"] or _called(named["title"])


def _end_of_clause(text: str, reading: FactMatch) -> int:
    sentence = reading.proposal.evidence[0].quote
    value = max(text.find(sentence), 0) + reading.end
    end = _CLAUSE_END.search(text, value)
    return end.start() if end else len(text)


def _named(
    text: str, end: int, just_before: Sequence[DialogueMessage]
) -> re.Match[str] | MentionedPerson | None:
    """Return the person named last up to `end`, or else first behind it, or else last before."""
    if (before := _last_named(text[:end])) is not None:
        return before
    if (behind := _NAMED.search(text, end)) is not None:
        return behind
    spoken = (
        _last_named(dialogue_message.text, by=dialogue_message.role)
        for dialogue_message in reversed(just_before)
    )
    return next((one for one in spoken if one is not None), None)


def _last_named(text: str, *, by: Role = Role.USER) -> re.Match[str] | MentionedPerson | None:
    """Return the person named last; in an agent's message 我 is the agent."""
    for clause in reversed(_CLAUSE_END.split(text)):
        matches = [match for match in _NAMED.finditer(clause) if by is Role.USER or not match["me"]]
        if matches:
            return matches[-1]
        if (
            person := find_subject_person(clause.strip(), chinese=True)
        ) is not None and person.name:
            return person
    return None


def _called(title: str) -> str:
    return title if re.fullmatch(r"老太太|老爷子|老头子?", title) else build_relative(title).subject


def _of(subject: str, told: Proposal) -> Proposal:
    content = re.sub(r"^用户", f"用户的{subject}", told.content)
    return told.model_copy(update={"subject": subject, "content": content})
