"""A message with the words written out that its speaker left to the conversation."""

from dataclasses import dataclass

from palimpsest_language.proposals import MessageQuote


@dataclass(frozen=True)
class WrittenOut:
    """The text of a message as it is read, with the way back to its original words."""

    text: str
    replaced: tuple[tuple[str, str], ...] = ()
    """Words of `text`, each with the words of the message that it replaces."""
    is_answer: bool = False
    """True if it is a completed answer, which states its content itself."""
    question: MessageQuote | None = None
    """The question whose words it states: evidence beside a mere yes."""

    def restore(self, quote: str, written: str) -> str:
        """Return a quote of the text as a quote of the original message, `written`."""
        for stated, said in self.replaced:
            if quote in written:
                break
            if stated in quote:
                quote = quote.replace(stated, said)
            elif quote.rstrip(".。") in stated:
                quote = said
        return quote
