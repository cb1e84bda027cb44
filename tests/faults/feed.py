"""What everybody says in a run, by the seed alone, and what must be remembered of it."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Any

from palimpsest.events.topics import CANDIDATES, CONVERSATIONS, EXTRACTIONS, WRITES, Topic
from palimpsest.model.memory import Status
from tests.faults.poison import Poison, poisons
from tests.faults.sayings import (
    LIKES,
    OWNS,
    ROOMS,
    ROOMS_ZH,
    TASTES,
    TASTES_ZH,
    THINGS,
    THINGS_ZH,
    Saying,
)
from tests.faults.scale import Scale

AGENT = "companion"
BEGINNING = datetime(2026, 1, 5, 8, tzinfo=UTC)
STAGES = (0.25, 0.5, 0.25)
"""The shares of what is said: to consolidators without vectors, to one that has them, and after
people have had some of it forgotten."""
SHARE_SENT_AGAIN = 0.06
SHARE_OVER_HTTP = 0.3
SHARE_OF_COMMANDS = 0.12
POISONED = (CONVERSATIONS, CANDIDATES, WRITES, EXTRACTIONS)


LATE = (timedelta(seconds=60), timedelta(seconds=60.25), timedelta(minutes=90, seconds=0.5))
"""How long after it held something is said; no two statements may hold from the same moment."""


class Way(StrEnum):
    KAFKA = "kafka"
    HTTP = "http"


@dataclass(frozen=True, kw_only=True)
class Sent:
    """Something on its way in. Whatever a user sends is sent when what came before is taken."""

    way: Way
    topic: Topic
    key: bytes
    value: bytes


@dataclass(kw_only=True)
class Known:
    """A memory that must stand at the end, whatever happened."""

    user_id: str
    content: str
    valid_from: datetime
    valid_until: datetime | None = None
    status: Status = Status.ACTIVE
    message_ids: set[str] = field(default_factory=set)


@dataclass(frozen=True, kw_only=True)
class Feed:
    stages: tuple[Mapping[str, Sequence[Sent]], ...]
    """By user."""
    known: Sequence[Known]
    to_forget: Sequence[Known]
    """Between the last two stages, by their users."""
    turns: Mapping[tuple[str, str], Sequence[str]]
    """By user and session: the ids of its messages, in order."""
    poison: Sequence[Poison]
    events: int
    sent_again: int


def feed(seed: int, scale: Scale) -> Feed:
    speakers = [_Speaker(seed, number) for number in range(scale.users)]
    stages = []
    for share in STAGES:
        each = round(scale.events * share / scale.users)
        stages.append({speaker.user_id: speaker.stage(each) for speaker in speakers})
        if len(stages) == len(STAGES) - 1:
            to_forget = [speaker.forgets() for speaker in speakers]
    return Feed(
        stages=tuple(stages),
        known=[known for speaker in speakers for known in speaker.known()],
        to_forget=to_forget,
        turns={key: ids for speaker in speakers for key, ids in speaker.turns.items()},
        poison=[poison for speaker in speakers for poison in speaker.poison],
        events=sum(speaker.events for speaker in speakers),
        sent_again=sum(speaker.sent_again for speaker in speakers),
    )


class _Speaker:
    """One user. Numbers rise, so that no two statements are the same by accident."""

    def __init__(self, seed: int, number: int) -> None:
        self.user_id = f"person-{number:02d}"
        self._key = self.user_id.encode()
        self.turns: dict[tuple[str, str], list[str]] = {}
        self.poison: list[Poison] = []
        self.events = 0
        self.sent_again = 0
        self._random = random.Random(f"{seed} {number}")
        self._language = ("en", "zh")[number % 2]
        self._now = BEGINNING + timedelta(seconds=number)
        self._number = 0
        self._stages = 0
        self._owned: list[tuple[str, Known]] = []
        self._remembered: list[Known] = []
        self._lines: dict[str, list[Known]] = {}

    def stage(self, events: int) -> list[Sent]:
        """Two sessions at once, commands between them, poison, and some of it sent again."""
        self._stages += 1
        sessions = [f"{self._stages}-{name}" for name in ("left", "right")]
        said = [self._event("SessionStarted", session_id=name) for name in sessions]
        # The first of all is what will be forgotten.
        said.append(self._command())
        while len(said) < events - len(sessions):
            if self._random.random() < SHARE_OF_COMMANDS:
                said.append(self._command())
            else:
                said += self._round(self._random.choice(sessions))
        said += [self._event("SessionEnded", session_id=name) for name in sessions]
        self.events += len(said)
        return list(self._sent(said))

    def forgets(self) -> Known:
        forgotten = self._remembered[0]
        forgotten.status = Status.FORGOTTEN
        return forgotten

    def known(self) -> Iterator[Known]:
        for line in self._lines.values():
            ordered = sorted(line, key=lambda one: one.valid_from)
            for one, after in pairwise(ordered):
                one.status, one.valid_until = Status.SUPERSEDED, after.valid_from
            yield from ordered
        yield from (known for _, known in self._owned)
        yield from self._remembered

    def _round(self, session_id: str) -> list[dict[str, Any]]:
        chance = self._random.random()
        if chance < 0.45:
            text = self._owns()
        elif chance < 0.65:
            text = self._likes()
        elif chance < 0.8 and self._owned:
            text = self._random.choice(self._owned)[0]
        else:
            text = "thanks" if self._language == "en" else "谢谢"
        said = self._message(session_id, "user", text)
        self._note(text, said)
        noted = {"en": f"Noted, as point {self._number}.", "zh": f"记下了，第{self._number}点。"}
        reply = self._message(session_id, "agent", noted[self._language])
        return [said, reply]

    def _owns(self) -> str:
        english = self._language == "en"
        return self._says(
            OWNS[self._language],
            what=self._random.choice(THINGS if english else THINGS_ZH),
            where=self._random.choice(ROOMS if english else ROOMS_ZH),
        )

    def _likes(self) -> str:
        tastes = TASTES if self._language == "en" else TASTES_ZH
        return self._says(LIKES[self._language], what=self._random.choice(tastes))

    def _says(self, saying: Saying, **words: str) -> str:
        self._number += 1
        return saying.said.format(number=self._number, **words)

    def _note(self, text: str, said: dict[str, Any]) -> None:
        """Keep what must become of it: a repeated statement is further evidence of the first."""
        for saying in (OWNS[self._language], LIKES[self._language]):
            match = saying.pattern.fullmatch(text)
            if match is None:
                continue
            if saying.attribute is not None:
                known = self._known(saying.remembered.format(**match.groupdict()), said)
                self._lines.setdefault(match["what"], []).append(known)
            elif before := [known for owned, known in self._owned if owned == text]:
                known = before[0]
            else:
                known = self._known(saying.remembered.format(**match.groupdict()), said)
                self._owned.append((text, known))
            known.message_ids.add(said["message_id"])

    def _command(self) -> dict[str, Any]:
        """Something to remember: in a line of its own, now and then late, or by itself."""
        self._number += 1
        if self._random.random() < 0.5 or not self._remembered:
            said = self._remember(f"The ladder of shed {self._number} stands inside.")
            self._remembered.append(self._known(said["content"], said))
            return self._noted(self._remembered[-1], said)
        said = self._remember(
            f"My preferred room is number {self._number}",
            attribute="preferred_room",
            value=str(self._number),
        )
        said["occurred_at"] = (self._now - self._random.choice(LATE)).isoformat()
        line = self._lines.setdefault("preferred_room", [])
        line.append(self._known(said["content"], said))
        return self._noted(line[-1], said)

    def _remember(self, content: str, **fields: str) -> dict[str, Any]:
        message_id = f"said-{self._number}"
        return self._event("RememberRequested", content=content, message_id=message_id, **fields)

    def _noted(self, known: Known, said: dict[str, Any]) -> dict[str, Any]:
        known.message_ids.add(said["message_id"])
        return said

    def _known(self, content: str, said: Mapping[str, Any]) -> Known:
        at = datetime.fromisoformat(said["occurred_at"])
        return Known(user_id=self.user_id, content=content, valid_from=at)

    def _message(self, session_id: str, role: str, text: str) -> dict[str, Any]:
        ids = self.turns.setdefault((self.user_id, session_id), [])
        ids.append(f"{session_id}-{len(ids) + 1}")
        fields = {"message_id": ids[-1], "role": role, "text": text}
        return self._event("MessageAdded", session_id=session_id, **fields)

    def _event(self, event_type: str, **fields: Any) -> dict[str, Any]:
        event = {
            "event_id": f"{event_type} {self._stages} {self._now.isoformat()}",
            "type": event_type,
            "user_id": self.user_id,
            "agent_id": AGENT,
            "occurred_at": self._now.isoformat(),
            **fields,
        }
        self._now += timedelta(minutes=1)
        return event

    def _sent(self, said: Sequence[dict[str, Any]]) -> Iterator[Sent]:
        poison = list(poisons(self._random, self.user_id, said, POISONED, stage=self._stages))
        self.poison += poison
        # A body that contradicts another must come after it, as every poison does here.
        by_place: dict[int, list[Poison]] = {}
        for one in poison:
            by_place.setdefault(one.after, []).append(one)
        again: list[dict[str, Any]] = []
        for place, event in enumerate(said):
            yield self._one(event)
            chance = self._random.random()
            if chance < SHARE_SENT_AGAIN / 2:
                yield self._once_more(event)
            elif chance < SHARE_SENT_AGAIN:
                again.append(event)
            for one in by_place.get(place, ()):
                yield Sent(way=Way.KAFKA, topic=one.topic, key=self._key, value=one.value)
        for event in again:
            yield self._once_more(event)

    def _once_more(self, event: dict[str, Any]) -> Sent:
        self.sent_again += 1
        return self._one(event)

    def _one(self, event: dict[str, Any]) -> Sent:
        over_http = self._random.random() < SHARE_OVER_HTTP
        value = json.dumps(event, ensure_ascii=False).encode()
        way = Way.HTTP if over_http else Way.KAFKA
        return Sent(way=way, topic=CONVERSATIONS, key=self._key, value=value)
