"""A message with words written out that its speaker left to the conversation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WrittenOut:
    """The text of a message as it is read, and how to find its words in the message again."""

    text: str
    replaced: tuple[tuple[str, str], ...] = ()
    """Words of `text`, each with the words of the message in the place of which they stand."""
    is_answer: bool = False
    """It answers what was asked, and says so itself now."""

    def restore(self, quote: str, written: str) -> str:
        """Return a quote of the text as a quote of the message, which is `written`."""
        for stated, said in self.replaced:
            if quote in written:
                break
            if stated in quote:
                quote = quote.replace(stated, said)
            elif quote.rstrip(".。") in stated:
                quote = said
        return quote
