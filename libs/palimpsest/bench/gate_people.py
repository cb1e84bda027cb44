"""Whom a gate is fitted on: people, what is remembered of them, and what they ask.

A memory says in few words what a message says among others, so both are fitted on: the
messages of conversations, the statements on each speaker that some files give besides,
the two together, and people with memories whose authors labelled what matters.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.bench.gate_remembered import Remembered, memories_of, messages_of
from palimpsest.bench.locomo import Dialogue, Observation, Question
from palimpsest.bench.precision import Person as LabelledPerson
from palimpsest.bench.recall import ANSWERABLE
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of
from palimpsest.providers.dense import DenseModel


class Source(StrEnum):
    """What is remembered of somebody."""

    MESSAGES = "messages"
    STATEMENTS = "statements"
    """What was summed up of one speaker, who asks in the first person."""
    BOTH = "both"
    LABELLED = "labelled"


@dataclass(frozen=True)
class Asking:
    text: str
    evidence: tuple[str, ...]
    """The ids of what answers it; none where nothing does."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One whose memory is asked, by themselves and by others."""

    id: str
    group: str
    """People of one group stand apart together: they speak of the same things."""
    source: Source
    remembered: Remembered
    questions: tuple[Asking, ...]
    said: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    """Those whose names stand in the questions."""


def people_of(
    dialogues: Sequence[Dialogue],
    labelled: Sequence[LabelledPerson],
    language: Language,
    model: DenseModel,
) -> list[Person]:
    """All of this language, from each source that there is."""
    spoken = [one for one in dialogues if _language(one) is language]
    people = [person for one in spoken for person in _of_dialogue(one, model)]
    return people + [_of_labelled(one, model) for one in labelled if one.language is language]


def others_questions(user: Person, people: Sequence[Person]) -> Iterator[Asking]:
    """What the people of other groups ask, and the same with the names of who speaks here."""
    for asker in people:
        if asker.source is user.source and asker.group != user.group:
            for asked in asker.questions:
                texts = [asked.text, with_names_of(asked.text, asker.speakers, user.speakers)]
                yield from (Asking(text, ()) for text in dict.fromkeys(texts))


def with_names_of(text: str, theirs: Sequence[str], ours: Sequence[str]) -> str:
    """The question with the names of who speaks here for those of who speaks there."""
    for their, our in zip(theirs, ours, strict=False):
        text = text.replace(their, our)
    return text


def in_first_person(question: str, name: str) -> str:
    """As the person of this name would ask it; what is no longer grammar is near enough to it."""
    return _named(question, name, "I", "my")


def of_the_user(statement: str, name: str) -> str:
    return _named(statement, name, "The user", "The user's")


def _named(text: str, name: str, who: str, whose: str) -> str:
    text = re.sub(rf"\b{re.escape(name)}['’]s\b", whose, text)
    return re.sub(rf"\b{re.escape(name)}\b", who, text)


def _of_dialogue(dialogue: Dialogue, model: DenseModel) -> Iterator[Person]:
    whole = _with_messages(dialogue, messages_of(dialogue, model))
    yield whole
    observed = {f"statement {n}": one for n, one in enumerate(dialogue.observations)}
    if observed:
        yield _with_both(whole, dialogue, observed, model)
    for speaker in whole.speakers:
        own = {key: one for key, one in observed.items() if one.speaker == speaker}
        if own:
            yield _with_statements(speaker, dialogue, own, model)


def _with_messages(dialogue: Dialogue, messages: Remembered) -> Person:
    return Person(
        id=dialogue.id,
        group=dialogue.id,
        source=Source.MESSAGES,
        remembered=messages,
        questions=tuple(Asking(one.text, one.evidence) for one in _answerable(dialogue)),
        said=tuple(turn.text for turn in dialogue.turns if turn.text.strip()),
        speakers=tuple(dict.fromkeys(turn.speaker for turn in dialogue.turns)),
    )


def _with_both(
    whole: Person, dialogue: Dialogue, observed: Mapping[str, Observation], model: DenseModel
) -> Person:
    told = memories_of({key: one.text for key, one in observed.items()}, model)
    return Person(
        id=f"{dialogue.id} both",
        group=dialogue.id,
        source=Source.BOTH,
        remembered=whole.remembered | told,
        questions=tuple(
            Asking(one.text, one.evidence + _resting_on(one, observed))
            for one in _answerable(dialogue)
        ),
        speakers=whole.speakers,
    )


def _with_statements(
    speaker: str, dialogue: Dialogue, own: Mapping[str, Observation], model: DenseModel
) -> Person:
    contents = {key: of_the_user(one.text, speaker) for key, one in own.items()}
    asked = [
        Asking(in_first_person(one.text, speaker), _resting_on(one, own))
        for one in _answerable(dialogue)
        if speaker in one.text
    ]
    return Person(
        id=f"{dialogue.id} {speaker}",
        group=dialogue.id,
        source=Source.STATEMENTS,
        remembered=memories_of(contents, model),
        questions=tuple(one for one in asked if one.evidence),
    )


def _of_labelled(person: LabelledPerson, model: DenseModel) -> Person:
    return Person(
        id=person.user,
        group=person.user,
        source=Source.LABELLED,
        remembered=memories_of({one.id: one.content for one in person.memories}, model),
        questions=tuple(Asking(one.text, one.relevant) for one in person.questions),
    )


def _answerable(dialogue: Dialogue) -> list[Question]:
    return [one for one in dialogue.questions if one.evidence and one.category in ANSWERABLE]


def _resting_on(question: Question, observed: Mapping[str, Observation]) -> tuple[str, ...]:
    """The statements that rest on a message which answers the question."""
    answering = frozenset(question.evidence)
    return tuple(key for key, one in observed.items() if not answering.isdisjoint(one.evidence))


def _language(dialogue: Dialogue) -> Language:
    return language_of(" ".join(one.text for one in dialogue.questions))
