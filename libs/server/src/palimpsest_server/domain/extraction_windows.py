"""Cut sessions into extraction windows; each turn is fresh in exactly one window.

The cuts depend only on the turns in their order, and never on how many turns were read
together. So they are the same for any batching, and again after a crash.
"""

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from palimpsest.model.identifiers import derive_id
from palimpsest.model.turn import Role, Turn
from palimpsest.model.window import Window, WindowTrigger

MAXIMUM_WINDOW_TOKENS = 4_000
"""Estimated tokens of a window with its context: enough to understand the messages, and no more
expensive. A longer turn has a window of its own, and is extracted in parts."""

MAXIMUM_FRESH_TOKENS = 3_000
"""Tokens of a window's fresh turns; the rest of the window is for the context."""

BYTES_PER_TOKEN = 3

TURNS_PER_READ = 256
"""Turns of a session that are windowed at a time, so that a backlog is processed in parts."""


@dataclass(frozen=True, kw_only=True)
class OpenWindow:
    """The part of a session after its last window, and the reasons that may close it."""

    windowed_through: int
    """Number of the last turn in a window; 0 for none."""
    last_sequence: int
    """Number of the session's last turn."""
    endings: AbstractSet[int] = frozenset()
    """Numbers of the turns after which the session was ended."""
    closing: WindowTrigger | None = None
    """Reason to close the window after the last turn; None leaves an unfilled window open."""


@dataclass(frozen=True, kw_only=True)
class WindowPlanner:
    """Plans the windows of sessions. No I/O."""

    rounds: int
    """Number of rounds that fill a window, from 1."""
    context_messages: int
    """Number of turns before a window that the extractor sees as its context, from 0."""

    @property
    def turns_per_read(self) -> int:
        """Number of fresh turns to read at a time, which certainly contain a window."""
        return max(TURNS_PER_READ, maximum_window_messages(self.rounds))

    def may_be_due(self, open_window: OpenWindow) -> bool:
        """Return whether the turns may contain a window that is due, so that they have to be read."""
        through = open_window.windowed_through
        fresh = open_window.last_sequence - through
        is_closed = open_window.closing is not None or any(
            ending > through for ending in open_window.endings
        )
        return fresh >= minimum_window_messages(self.rounds) or (is_closed and fresh > 0)

    def plan(self, open_window: OpenWindow, turns: Sequence[Turn]) -> list[Window]:
        """Return the windows that are due, in order.

        Args:
            open_window: the open window of the session.
            turns: the numbered turns around it in order, at most `turns_per_read` of them fresh.
        """
        fresh = [turn for turn in turns if (turn.sequence or 0) > open_window.windowed_through]
        may_have_more = len(fresh) >= self.turns_per_read
        windows = cut_windows(
            fresh,
            rounds=self.rounds,
            endings=open_window.endings,
            closing=None if may_have_more else open_window.closing,
        )
        return [window for window, _ in windows]

    def select_context(self, window: Window, turns: Sequence[Turn]) -> tuple[Turn, ...]:
        """Return the turns before a window that the extractor sees as its context."""
        earlier = [turn for turn in turns if (turn.sequence or 0) < window.first_sequence]
        return take_context_before(
            earlier, messages=self.context_messages, fresh=select_fresh(window, turns)
        )


def select_fresh(window: Window, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns that are fresh in a window, in their order."""
    return [
        turn
        for turn in turns
        if window.first_sequence <= (turn.sequence or 0) <= window.last_sequence
    ]


@dataclass
class _Count:
    """The counts since the last cut."""

    rounds: int = 0
    by_people: int = 0
    messages: int = 0
    tokens: int = 0
    awaiting_reply: bool = False

    def add(self, turn: Turn) -> None:
        self.messages += 1
        self.tokens += _estimate_tokens(turn)
        if turn.role is Role.USER:
            self.by_people += 1
            self.awaiting_reply = True
        elif turn.role is Role.AGENT and self.awaiting_reply:
            self.rounds += 1
            self.awaiting_reply = False

    def fills(self, rounds: int, following: Turn | None) -> bool:
        """Return whether the window is full.

        A window is filled by rounds, by its number of turns if people or agents talk among themselves, or
        by tokens if the following turn has no room in it.
        """
        further = 0 if following is None else _estimate_tokens(following)
        return (
            self.rounds >= rounds
            or self.by_people >= minimum_window_messages(rounds)
            or self.messages >= maximum_window_messages(rounds)
            or self.tokens + further > MAXIMUM_FRESH_TOKENS
        )


def minimum_window_messages(rounds: int) -> int:
    """Return the number of fresh turns below which rounds cannot fill a window."""
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
    """Cut the windows that are due; yield each with its turns, in order.

    Args:
        fresh: the numbered turns after the last window, in order, without gaps.
        rounds: number of rounds in a window, from 1.
        endings: the numbers of turns after which the session was ended.
        closing: reason to cut after the last turn too; None leaves an unfilled window open.
    """
    start, count = 0, _Count()
    for position, turn in enumerate(fresh):
        count.add(turn)
        following = fresh[position + 1] if position + 1 < len(fresh) else None
        trigger = (
            WindowTrigger.ROUNDS
            if count.fills(rounds, following)
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


def take_context_before(
    earlier: Sequence[Turn], *, messages: int, fresh: Sequence[Turn] = ()
) -> tuple[Turn, ...]:
    """Return the last of these turns: at most `messages`, within the tokens that `fresh` leaves."""
    chosen: list[Turn] = []
    used = min(sum(map(_estimate_tokens, fresh)), MAXIMUM_FRESH_TOKENS)
    room = MAXIMUM_WINDOW_TOKENS - used
    for turn in reversed(earlier[-messages:] if messages else ()):
        room -= _estimate_tokens(turn)
        if room < 0:
            break
        chosen.append(turn)
    return tuple(reversed(chosen))


def _estimate_tokens(turn: Turn) -> int:
    """Estimate the tokens of the fields of a turn that may be long."""
    return estimate_tokens(
        turn.full_text, turn.speaker or "", *(image.url for image in turn.images)
    )


def estimate_tokens(*texts: str) -> int:
    """Estimate the tokens of texts.

    Three bytes count as one token: a Chinese character, or a little less than an English word.
    """
    return sum(len(text.encode()) for text in texts) // BYTES_PER_TOKEN


def window_id(first: Turn) -> str:
    """Return the id of the window that begins with this turn."""
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
