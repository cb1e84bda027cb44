"""Whom a gate is fitted on: people, what is remembered of them, and what they ask.

A memory says in few words what a message says among others, so both are fitted on: the
messages of conversations, the statements on each speaker that some files give besides,
the two together, and people with memories whose authors labelled what matters.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.user import Language
from palimpsest_lab.datasets.locomo import DialogueObservation, DialogueQuestion, LocomoDialogue
from palimpsest_lab.fitting.gate_memories import EmbeddedMemories, embed_memories, embed_messages
from palimpsest_lab.recall.evidence_recall import ANSWERABLE
from palimpsest_lab.recall.precision import LabelledPerson
from palimpsest_server.embedders.dense_model import DenseModel


class GateMemorySource(StrEnum):
    """The memories of one person."""

    MESSAGES = "messages"
    STATEMENTS = "statements"
    """What was summed up of one speaker, who asks in the first person."""
    BOTH = "both"
    LABELLED = "labelled"


@dataclass(frozen=True)
class GateQuestion:
    text: str
    evidence: tuple[str, ...]
    """The ids of what answers it; none where nothing does."""


@dataclass(frozen=True, kw_only=True)
class GatePerson:
    """A person whose memory is asked by themselves and by others."""

    id: str
    group: str
    """People of one group stand apart together: they speak of the same things."""
    source: GateMemorySource
    remembered: EmbeddedMemories
    questions: tuple[GateQuestion, ...]
    said: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    """Those whose names stand in the questions."""


def collect_gate_people(
    dialogues: Sequence[LocomoDialogue],
    labelled: Sequence[LabelledPerson],
    language: Language,
    model: DenseModel,
) -> list[GatePerson]:
    """Collect all people of this language, from each source."""
    spoken = [dialogue for dialogue in dialogues if _language(dialogue) is language]
    people = [person for dialogue in spoken for person in _of_dialogue(dialogue, model)]
    return people + [
        _of_labelled(labelled_person, model)
        for labelled_person in labelled
        if labelled_person.language is language
    ]


def collect_others_questions(
    user: GatePerson, people: Sequence[GatePerson]
) -> Iterator[GateQuestion]:
    """Collect the questions of other groups' people, also with the names of who speaks here."""
    for asker in people:
        if asker.source is user.source and asker.group != user.group:
            for asked in asker.questions:
                texts = [asked.text, replace_names(asked.text, asker.speakers, user.speakers)]
                yield from (GateQuestion(text, ()) for text in dict.fromkeys(texts))


def replace_names(text: str, theirs: Sequence[str], ours: Sequence[str]) -> str:
    """The question with the names of who speaks here for those of who speaks there."""
    for their, our in zip(theirs, ours, strict=False):
        text = text.replace(their, our)
    return text


def rewrite_in_first_person(question: str, name: str) -> str:
    """Rewrite a question as the person of this name would ask it; grammar is near enough."""
    return _named(question, name, "I", "my")


def rewrite_about_user(statement: str, name: str) -> str:
    return _named(statement, name, "The user", "The user's")


def _named(text: str, name: str, who: str, whose: str) -> str:
    text = re.sub(rf"\b{re.escape(name)}['’]s\b", whose, text)
    return re.sub(rf"\b{re.escape(name)}\b", who, text)


def _of_dialogue(dialogue: LocomoDialogue, model: DenseModel) -> Iterator[GatePerson]:
    whole = _with_messages(dialogue, embed_messages(dialogue, model))
    yield whole
    observed = {
        f"statement {n}": observation for n, observation in enumerate(dialogue.observations)
    }
    if observed:
        yield _with_both(whole, dialogue, observed, model)
    for speaker in whole.speakers:
        own = {
            key: observation
            for key, observation in observed.items()
            if observation.speaker == speaker
        }
        if own:
            yield _with_statements(speaker, dialogue, own, model)


def _with_messages(dialogue: LocomoDialogue, messages: EmbeddedMemories) -> GatePerson:
    return GatePerson(
        id=dialogue.id,
        group=dialogue.id,
        source=GateMemorySource.MESSAGES,
        remembered=messages,
        questions=tuple(
            GateQuestion(dialogue_question.text, dialogue_question.evidence)
            for dialogue_question in _answerable(dialogue)
        ),
        said=tuple(turn.text for turn in dialogue.turns if turn.text.strip()),
        speakers=tuple(dict.fromkeys(turn.speaker for turn in dialogue.turns)),
    )


def _with_both(
    whole: GatePerson,
    dialogue: LocomoDialogue,
    observed: Mapping[str, DialogueObservation],
    model: DenseModel,
) -> GatePerson:
    told = embed_memories({key: observation.text for key, observation in observed.items()}, model)
    return GatePerson(
        id=f"{dialogue.id} both",
        group=dialogue.id,
        source=GateMemorySource.BOTH,
        remembered=whole.remembered | told,
        questions=tuple(
            GateQuestion(
                dialogue_question.text,
                dialogue_question.evidence + _resting_on(dialogue_question, observed),
            )
            for dialogue_question in _answerable(dialogue)
        ),
        speakers=whole.speakers,
    )


def _with_statements(
    speaker: str,
    dialogue: LocomoDialogue,
    own: Mapping[str, DialogueObservation],
    model: DenseModel,
) -> GatePerson:
    contents = {
        key: rewrite_about_user(observation.text, speaker) for key, observation in own.items()
    }
    asked = [
        GateQuestion(
            rewrite_in_first_person(dialogue_question.text, speaker),
            _resting_on(dialogue_question, own),
        )
        for dialogue_question in _answerable(dialogue)
        if speaker in dialogue_question.text
    ]
    return GatePerson(
        id=f"{dialogue.id} {speaker}",
        group=dialogue.id,
        source=GateMemorySource.STATEMENTS,
        remembered=embed_memories(contents, model),
        questions=tuple(question for question in asked if question.evidence),
    )


def _of_labelled(person: LabelledPerson, model: DenseModel) -> GatePerson:
    return GatePerson(
        id=person.user,
        group=person.user,
        source=GateMemorySource.LABELLED,
        remembered=embed_memories({memory.id: memory.content for memory in person.memories}, model),
        questions=tuple(
            GateQuestion(question.text, question.relevant) for question in person.questions
        ),
    )


def _answerable(dialogue: LocomoDialogue) -> list[DialogueQuestion]:
    return [
        question
        for question in dialogue.questions
        if question.evidence and question.category in ANSWERABLE
    ]


def _resting_on(
    question: DialogueQuestion, observed: Mapping[str, DialogueObservation]
) -> tuple[str, ...]:
    """The statements that rest on a message which answers the question."""
    answering = frozenset(question.evidence)
    return tuple(
        key
        for key, observation in observed.items()
        if not answering.isdisjoint(observation.evidence)
    )


def _language(dialogue: LocomoDialogue) -> Language:
    return detect_language(" ".join(question.text for question in dialogue.questions))
