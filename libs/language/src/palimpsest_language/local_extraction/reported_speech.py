"""Statements of people close to the user, who quotes their very words: my mum texted "I'm ill"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.people import find_mentioned_person

_REPORTS = read_phrases("local_extraction/reported_speech")["reports"]
_LEAST_SHARED = 8
"""The characters of a quotation by which a proposal is known to rest on it."""


@dataclass(frozen=True)
class ReportedSpeech:
    """Quoted words of somebody close, and the message that quotes them."""

    message: DialogueMessage
    title: str
    """Who said them, as the user calls them: "mum", 室友."""
    words: str
    passage: str
    """The words with what introduces them."""

    @property
    def speaker(self) -> str:
        return (
            f"用户{self.title}" if has_chinese(self.title) else f"the user's {self.title.lower()}"
        )

    @property
    def subject(self) -> str:
        chinese = has_chinese(self.title)
        person = find_mentioned_person(
            f"我{self.title}" if chinese else f"my {self.title}", chinese=chinese
        )
        return person.subject if person is not None else self.title


def find_reported_speech(messages: Sequence[DialogueMessage]) -> Iterator[ReportedSpeech]:
    """Find the words that the user quotes of people close to them, in fresh messages."""
    for message in messages:
        if message.fresh and message.role is Role.USER:
            for match in _REPORTS.finditer(message.text):
                yield ReportedSpeech(message, match["title"], match["words"], match[0])


def build_talk(speech: ReportedSpeech, request: ExtractionRequest) -> ExtractionRequest:
    """Build the request in which the quoted person speaks for themselves."""
    listener = "用户" if has_chinese(speech.title) else "the user"
    user = speech.message.model_copy(update={"number": 1, "speaker": listener, "text": ""})
    told = {"number": 2, "speaker": speech.speaker, "text": speech.words}
    return request.model_copy(
        update={"messages": (user, speech.message.model_copy(update=told)), "agents": ()}
    )


def attribute_to_speaker(
    proposals: Sequence[Proposal], speech: ReportedSpeech
) -> Iterator[Proposal]:
    """Yield what the quoted person says of themselves, with evidence in the user's message."""
    for proposal in proposals:
        if proposal.subject == speech.speaker:
            evidence = tuple(
                quote.model_copy(update={"message": speech.message.number})
                for quote in proposal.evidence
            )
            yield proposal.model_copy(update={"evidence": evidence, "subject": speech.subject})


def rests_on(proposal: Proposal, speech: ReportedSpeech) -> bool:
    """Tell whether a proposal was read from the quoted words, or from what introduces them."""
    beginning = speech.words[:_LEAST_SHARED]
    return any(
        quote.message == speech.message.number
        and (beginning in quote.quote or quote.quote in speech.passage)
        for quote in proposal.evidence
    )
