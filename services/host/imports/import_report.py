"""The report of an import: what was taken, and what was left out and why."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class LeftOut(StrEnum):
    """Reasons for which a part of a file is not imported."""

    SYSTEM = "system messages"
    TOOL = "tool calls and their results"
    HIDDEN = "hidden messages"
    THOUGHTS = "thoughts of models"
    OTHER_BRANCH = "messages of other branches"
    ATTACHMENT = "attached files and pictures"
    EMPTY = "messages without text"
    NO_TIME = "messages without a time"
    SAME_ID = "messages under the id of another one"
    UNREADABLE = "entries that are not understood"
    NO_LONGER_HOLDS = "facts that no longer hold"
    EXPIRED = "memories that have expired"
    REFUSED = "entries that the services refused"
    KNOWN = "memories that are there already"
    PROFILE = "versions of profiles, which are written anew"
    HISTORY = "earlier versions of memories"
    ACCESSES = "memories' counts of recalls"
    SETTINGS = "settings, for the user has own ones"


@dataclass
class ImportReport:
    """Counts, filled while a file is read."""

    taken: Counter[str] = field(default_factory=Counter)
    """By what it is: messages, conversations, memories, summaries."""
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    parts: int = 0
    """Further parts of messages that were too long."""

    def describe(self) -> list[str]:
        """Return the report in lines."""
        taken = ", ".join(f"{count} {name}" for name, count in self.taken.items() if count)
        lines = [f"taken: {taken or 'nothing'}"]
        if self.parts:
            lines.append(f"{self.parts} of the messages are further parts of those over 64 KiB")
        counts = sorted(self.left_out.items())
        lines += [f"left out: {count} {reason}" for reason, count in counts if count]
        return lines
