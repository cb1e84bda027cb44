"""Answers of the extractor on `candidates`: proposals, on which the consolidator decides."""

from abc import ABC, abstractmethod
from typing import Literal

from palimpsest.events.embeddable_event import EmbeddableEvent, build_summary_text
from palimpsest.events.envelope import derive_event_id
from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.distillate import Distillate, ProposedReflection
from palimpsest.model.judgement import DuplicateJudgement
from palimpsest.model.memory import Candidate, embedded_text
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import TodoCompletion
from palimpsest.model.user import TimeZoneName
from palimpsest.model.value_types import Identifier
from palimpsest.model.vectors import EmbeddableText


class ExtractorAnswer(EmbeddableEvent, ABC):
    """An answer to a request in the ledger."""

    provider: str
    candidates: tuple[Candidate, ...] = ()

    @property
    @abstractmethod
    def request_id(self) -> str: ...

    @classmethod
    def derive_id(cls, user_id: str, request_id: str) -> str:
        """Return the event id of the answer to a request; the same request has the same one."""
        return derive_event_id(cls.__name__, user_id, request_id)


class CandidatesProposed(ExtractorAnswer):
    """The candidates found in one window; there may be none."""

    type: Literal["CandidatesProposed"] = "CandidatesProposed"
    window_id: str
    candidates: tuple[Candidate, ...]
    completions: tuple[TodoCompletion, ...] = ()
    """Statements that something is done."""
    time_zone: TimeZoneName | None = None
    """The user's time zone, derived from the UTC offset of their messages; None if they had none.
    """
    unread_characters: int = 0
    """Characters of messages that took too long to be read to their end. The messages are kept."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
            for candidate in self.candidates
        )

    @property
    def request_id(self) -> str:
        return self.window_id


class SummaryProposed(ExtractorAnswer):
    """A summary proposed for a session; there may be none."""

    type: Literal["SummaryProposed"] = "SummaryProposed"
    session_id: Identifier
    question_id: str
    summary: SessionSummary | None = None
    candidates: tuple[Candidate, ...] = ()
    """Candidates from its key facts, with their evidence."""
    aware_of: int = 0
    """The revision of the last erasure known when its messages were read; 0 for none."""

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """The texts to embed: the summary first, if there is a valid one, then those of the candidates."""
        summary = () if self.summary is None or self.summary.failed else (self.summary,)
        return (
            *(build_summary_text(session_summary) for session_summary in summary),
            *(
                EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
                for candidate in self.candidates
            ),
        )


class ProfileProposed(ExtractorAnswer):
    """A proposed profile. It carries no vectors, because profiles are not searched."""

    type: Literal["ProfileProposed"] = "ProfileProposed"
    question_id: str
    profile: Profile

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        return ()


class JudgementProposed(ExtractorAnswer):
    """The proposed relation of a new memory to an older one.

    It is applied only if both are unchanged.
    """

    type: Literal["JudgementProposed"] = "JudgementProposed"
    question_id: str
    judgement: DuplicateJudgement

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """The text of the merged memory, for a merge."""
        if self.judgement.content is None:
            return ()
        text = embedded_text(shorten_to_summary(self.judgement.content), self.judgement.content)
        return (EmbeddableText(dense=text, sparse=text),)


class ReflectionsProposed(ExtractorAnswer):
    """Reflections proposed from several memories; there may be none."""

    type: Literal["ReflectionsProposed"] = "ReflectionsProposed"
    question_id: str
    reflections: tuple[ProposedReflection, ...]
    distillate: Distillate | None = None
    """The memory in the place of those that were to become one."""

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        texts = [reflection.embedded_text for reflection in self.reflections]
        if self.distillate is not None:
            texts.append(self.distillate.candidate.embedded_text)
        return tuple(EmbeddableText(dense=text, sparse=text) for text in texts)
