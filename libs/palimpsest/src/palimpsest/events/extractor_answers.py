"""What the extractor answers on `candidates`: proposals, on which the consolidator decides."""

from abc import ABC, abstractmethod
from typing import Literal

from palimpsest.events.embeddable_event import EmbeddableEvent, build_summary_text
from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.distillate import ProposedReflection
from palimpsest.model.judgement import DuplicateJudgement
from palimpsest.model.memory import Candidate, embedded_text
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import TodoCompletion
from palimpsest.model.user import TimeZoneName
from palimpsest.model.value_types import Identifier
from palimpsest.model.vectors import EmbeddableText


class ExtractorAnswer(EmbeddableEvent, ABC):
    """What follows from a question in the ledger."""

    provider: str
    candidates: tuple[Candidate, ...] = ()

    @property
    @abstractmethod
    def request_id(self) -> str: ...


class CandidatesProposed(ExtractorAnswer):
    """What the extractor found in one window. It may be nothing, and that is an answer."""

    type: Literal["CandidatesProposed"] = "CandidatesProposed"
    window_id: str
    candidates: tuple[Candidate, ...]
    completions: tuple[TodoCompletion, ...] = ()
    """What somebody said is done, of what was to be done."""
    time_zone: TimeZoneName | None = None
    """Of the user, by the offset that their messages were written with; None: they said nothing of it."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
            for candidate in self.candidates
        )

    @property
    def request_id(self) -> str:
        return self.window_id


class SummaryProposed(ExtractorAnswer):
    """What a session was about. It may be nothing, and that is an answer."""

    type: Literal["SummaryProposed"] = "SummaryProposed"
    session_id: Identifier
    question_id: str
    summary: SessionSummary | None = None
    candidates: tuple[Candidate, ...] = ()
    """Its key facts, with what they rest on."""
    aware_of: int = 0
    """The revision of the last erasure that was known when its messages were read; 0: of none."""

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """Of the summary first, where there is one that counts; then of the candidates."""
        summary = () if self.summary is None or self.summary.failed else (self.summary,)
        return (
            *(build_summary_text(each) for each in summary),
            *(
                EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
                for candidate in self.candidates
            ),
        )


class ProfileProposed(ExtractorAnswer):
    """A user's profile as it is to be. It carries no vectors: nobody searches for it."""

    type: Literal["ProfileProposed"] = "ProfileProposed"
    question_id: str
    profile: Profile

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        return ()


class JudgementProposed(ExtractorAnswer):
    """What a new memory is to one that stood. Applied only where both stand as they were asked about."""

    type: Literal["JudgementProposed"] = "JudgementProposed"
    question_id: str
    judgement: DuplicateJudgement

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """Of a merge, what is to be said by the memory that stays."""
        if self.judgement.content is None:
            return ()
        text = embedded_text(shorten_to_summary(self.judgement.content), self.judgement.content)
        return (EmbeddableText(dense=text, sparse=text),)


class ReflectionsProposed(ExtractorAnswer):
    """What several memories show together. It may be nothing, and that is an answer."""

    type: Literal["ReflectionsProposed"] = "ReflectionsProposed"
    question_id: str
    reflections: tuple[ProposedReflection, ...]

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=one.embedded_text, sparse=one.embedded_text)
            for one in self.reflections
        )
