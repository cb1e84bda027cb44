"""The texts of an event that are embedded."""

from palimpsest.events.embeddable_event import EmbeddableEvent, VectorCarrier
from palimpsest.events.writes import TurnStored
from palimpsest.model.turn import Turn
from palimpsest.model.vectors import EmbeddableText
from palimpsest_language.off_the_record.own_words import searched_text


def texts_of(event: VectorCarrier) -> tuple[EmbeddableText, ...]:
    """Return the texts of an event, in the order of its vectors."""
    if isinstance(event, TurnStored):
        return (turn_text(event.turn),)
    return event.texts() if isinstance(event, EmbeddableEvent) else ()


def turn_text(turn: Turn) -> EmbeddableText:
    """Return the text of a turn; its sparse text names the speaker and the day."""
    text = searched_text(turn)
    spoken = f"{turn.speaker}: {text}" if turn.speaker else text
    dated = f"{spoken}\n{turn.occurred_at:%d %B %Y} {turn.occurred_at:%Y年%m月%d日}"
    return EmbeddableText(dense=text, sparse=dated)
