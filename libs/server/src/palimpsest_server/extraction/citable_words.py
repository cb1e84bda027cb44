"""The words of a conversation that may be cited as evidence: of their senders, or of named people."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palimpsest.model.turn import Turn
from palimpsest_language.dialogue import number_messages
from palimpsest_language.message_spans.mark_spans import mark_spans
from palimpsest_language.message_spans.span import MessageSpan, SpanKind, own_parts
from palimpsest_language.proposals import MessageQuote

MINIMUM_QUOTE_CHARACTERS = 2


@dataclass(frozen=True)
class CitableWords:
    """The words of a message that may be cited, normalised for comparison."""

    own: tuple[str, ...]
    """Stretches of the sender's own words."""
    of_others: tuple[tuple[str, str], ...] = ()
    """Statements of a pasted conversation: the speaker's name and the words."""

    def hold(self, quote: str, subject: str | None = None) -> bool:
        """Return whether the sender said these words, or the subject did in a pasted conversation."""
        words = normalize_quote(quote)
        if len(words) < MINIMUM_QUOTE_CHARACTERS:
            return False
        name = normalize_quote(subject or "")
        return any(words in said for said in self.own) or any(
            words in said for by, said in self.of_others if by == name
        )


def find_citable_words(
    turns: Sequence[Turn], quotes: Iterable[MessageQuote]
) -> Mapping[int, CitableWords]:
    """Return the citable words of the turns that these quote, by their numbers from 1."""
    quoted = {quote.message for quote in quotes if 1 <= quote.message <= len(turns)}
    if not quoted:
        return {}
    messages = number_messages(turns[: max(quoted)])
    spans = mark_spans(messages, among={number - 1 for number in quoted})
    return {
        number: _find_citable(messages[number - 1].text, spans[number - 1]) for number in quoted
    }


def _find_citable(text: str, spans: Sequence[MessageSpan]) -> CitableWords:
    return CitableWords(
        tuple(map(normalize_quote, own_parts(text, spans))),
        tuple(
            (normalize_quote(span.speaker), normalize_quote(span.of(text)))
            for span in spans
            if span.speaker and span.kind is SpanKind.PASTED
        ),
    )


def normalize_quote(text: str) -> str:
    """Normalise case, width and spacing, the only differences allowed between a quote and a message."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
