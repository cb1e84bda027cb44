"""Tracks fiction frames, in which people of a session speak in roles, and marks the turns in them."""

from collections.abc import Mapping

from palimpsest.model.turn import Role, Turn
from palimpsest_language.message_spans.fiction_frames import read_frame
from palimpsest_server.stores.sessions import SessionKey, SessionProgress


class FrameTracker:
    """Reads the turns of a batch in order, starting from the stored frames of their sessions."""

    def __init__(self, open_before: Mapping[SessionKey, bool]) -> None:
        self._open = dict(open_before)
        self._steps: dict[SessionKey, SessionProgress] = {}

    @property
    def progress(self) -> list[SessionProgress]:
        """Progress of sessions whose frame a turn of the batch opened or ended."""
        return list(self._steps.values())

    def mark(self, turn: Turn) -> Turn:
        """Return a newly numbered turn, marked if it is in a frame."""
        key = SessionKey.of(turn)
        is_open = self._open.get(key, False)
        if turn.role is not Role.USER:
            return turn.model_copy(update={"in_fiction": is_open})
        reading = read_frame(turn.said, is_open=is_open)
        self._go_on(turn, is_open=reading.is_open)
        return turn.model_copy(update={"in_fiction": bool(reading.spans)})

    def follow(self, turn: Turn) -> None:
        """Update the frame from a turn that was numbered and marked earlier."""
        if turn.role is Role.USER and turn.in_fiction:
            reading = read_frame(turn.said, is_open=False)
            reading = reading if reading.spans else read_frame(turn.said, is_open=True)
            self._go_on(turn, is_open=reading.is_open)

    def end(self, key: SessionKey, sequence: int) -> None:
        """End the frame with its session, behind the turn with this number."""
        if self._open.get(key, False):
            self._open[key] = False
            self._step(SessionProgress(key=key, fiction_ended_at=sequence))

    def _go_on(self, turn: Turn, *, is_open: bool) -> None:
        key, sequence = SessionKey.of(turn), turn.sequence or 0
        if is_open and not self._open.get(key, False):
            self._step(SessionProgress(key=key, fiction_opened_at=sequence))
        elif self._open.get(key, False) and not is_open:
            self._step(SessionProgress(key=key, fiction_ended_at=sequence))
        self._open[key] = is_open

    def _step(self, step: SessionProgress) -> None:
        before = self._steps.get(step.key)
        self._steps[step.key] = before.then(step) if before else step
