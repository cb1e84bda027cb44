"""Cut sessions into extraction windows, each turn fresh in exactly one of them.

The cuts depend on the turns alone, one after another, and never on how many
of them were looked at at once: so they come out the same whatever the
batching, and the same again after a crash.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from palimpsest.model.identifiers import derive_id
from palimpsest.model.turn import Role, Turn
from palimpsest.model.window import Window, WindowTrigger

MAXIMUM_FRESH_BYTES = 256 * 1024
"""Of a window's turns, exceeded by the last one at most: they have to travel in one record."""
MAXIMUM_CONTEXT_BYTES = 64 * 1024


@dataclass
class _Count:
    """The counts since the last cut."""

    rounds: int = 0
    by_people: int = 0
    messages: int = 0
    text_bytes: int = 0
    awaiting_reply: bool = False

    def add(self, turn: Turn) -> None:
        self.messages += 1
        self.text_bytes += _size(turn)
        if turn.role is Role.USER:
            self.by_people += 1
            self.awaiting_reply = True
        elif turn.role is Role.AGENT and self.awaiting_reply:
            self.rounds += 1
            self.awaiting_reply = False

    def fills(self, rounds: int) -> bool:
        """Return whether the window is full.

        By rounds, or by length if people or agents talk among themselves.
        """
        return (
            self.rounds >= rounds
            or self.by_people >= minimum_window_messages(rounds)
            or self.messages >= maximum_window_messages(rounds)
            or self.text_bytes >= MAXIMUM_FRESH_BYTES
        )


def minimum_window_messages(rounds: int) -> int:
    """Return the number of fresh turns below which rounds fill no window."""
    return 2 * rounds


def maximum_window_messages(rounds: int) -> int:
    """Return the number of fresh turns that always fill a window."""
    return 2 * minimum_window_messages(rounds)


def cut_windows(
    fresh: Sequence[Turn],
    *,
    rounds: int,
    endings: Collection[int] = (),
    closing: WindowTrigger | None = None,
) -> Iterator[tuple[Window, Sequence[Turn]]]:
    """The windows that are due, and their turns, in order.

    Args:
        fresh: the numbered turns behind the last window, in order, without gaps.
        rounds: how many rounds make a window; from 1.
        endings: the numbers of turns behind which the session was ended.
        closing: cut behind the last turn too, for this reason; None leaves
            what does not fill a window to wait.
    """
    start, count = 0, _Count()
    for position, turn in enumerate(fresh):
        count.add(turn)
        trigger = (
            WindowTrigger.ROUNDS
            if count.fills(rounds)
            else WindowTrigger.SESSION_END
            if turn.sequence in endings
            else closing
            if position == len(fresh) - 1
            else None
        )
        if trigger is not None:
            stretch = fresh[start : position + 1]
            yield _window(stretch, trigger), stretch
            start, count = position + 1, _Count()


def take_context_before(earlier: Sequence[Turn], *, messages: int) -> tuple[Turn, ...]:
    """The last of the turns seen before: so many at most, and no more text than fits."""
    chosen: list[Turn] = []
    room = MAXIMUM_CONTEXT_BYTES
    for turn in reversed(earlier[-messages:] if messages else ()):
        room -= _size(turn)
        if room < 0:
            break
        chosen.append(turn)
    return tuple(reversed(chosen))


def _size(turn: Turn) -> int:
    """Bytes of everything in a turn that may be long."""
    texts = (turn.full_text, turn.speaker or "", *(image.url for image in turn.images))
    return sum(len(text.encode()) for text in texts)


def window_id(first: Turn) -> str:
    """The id of the window that begins with this turn."""
    return derive_id("window", first.user_id, first.session_id, first.id)


def _window(stretch: Sequence[Turn], trigger: WindowTrigger) -> Window:
    first, last = stretch[0], stretch[-1]
    if first.sequence is None or last.sequence is None:
        raise ValueError("only numbered turns can be windowed")
    return Window(
        id=window_id(first),
        user_id=first.user_id,
        session_id=first.session_id,
        first_sequence=first.sequence,
        last_sequence=last.sequence,
        trigger=trigger,
    )
