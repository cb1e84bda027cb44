"""Events of a few dozen users: stages of events, the same in every run.

Whatever a consolidator can decide is in it: new statements and repeated ones,
changes of mind, statements that come late, forgetting, settings, counters.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.writes import MemoriesAccessed
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Candidate, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.user import SharingPolicy
from palimpsest_server.embedders.embedded_texts import texts_of
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from tests.support.server.domain.consolidation.samples import candidate, day

USERS = tuple(f"user-{number}" for number in range(24))
AGENT = "tutor"
RECEIVED = day(400)

NOT_EXPIRED_DAYS = 4_000
"""Added to the days of recalls: a trace that is older than thirty days is deleted once a minute."""

CITIES = ("Paris", "北京", "Berlin", "上海", "Rome", "Oslo")
EMPLOYERS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Stark", "Wayne", "Tyrell")


class _User:
    """Says what one user's events are; numbers make every event another one."""

    def __init__(self, user_id: str) -> None:
        self.id = user_id

    def _envelope(self, name: str, on: int = 0) -> dict[str, Any]:
        return {
            "event_id": f"{self.id} {name}",
            "user_id": self.id,
            "occurred_at": day(on),
            "received_at": RECEIVED,
            "epoch": 0,
        }

    def remember(self, name: str, content: str, *, on: int, **fields: Any) -> RememberRequested:
        return RememberRequested(content=content, **self._envelope(name, on), **fields)

    def lives(self, city: str, *, on: int) -> RememberRequested:
        return self.remember(f"city {on}", f"I live in {city}", on=on, attribute="city", value=city)

    def works(self, employer: str, *, on: int) -> RememberRequested:
        content = f"I work for {employer}"
        return self.remember(
            f"employer {on}", content, on=on, attribute="employer", value=employer, agent_id=AGENT
        )

    def likes(self, name: str, what: str, *, on: int, **fields: Any) -> RememberRequested:
        return self.remember(f"likes {name}", f"I like {what}", on=on, **fields)

    def proposed(self, name: str, *candidates: Candidate) -> CandidatesProposed:
        return CandidatesProposed(
            window_id=name, provider="local", candidates=candidates, **self._envelope(name)
        )

    def candidate(self, content: str, *, on: int, **fields: Any) -> Candidate:
        scope = Scope(user_id=self.id, agent_id=AGENT)
        return candidate(content, on=on, scope=scope, **fields)

    def forget(self, event: RememberRequested) -> ForgetMemory:
        return ForgetMemory(
            memory_id=remembered_id(event), **self._envelope(f"forget {event.event_id}")
        )

    def settle(self, name: str, **settings: Any) -> SetSettings:
        return SetSettings(**self._envelope(f"settle {name}"), **settings)

    def accessed(self, recall_id: str, *events: RememberRequested, on: int) -> MemoriesAccessed:
        return MemoriesAccessed(
            recall_id=f"{self.id} {recall_id}",
            memory_ids=tuple(map(remembered_id, events)),
            **self._envelope(f"accessed {recall_id}", on + NOT_EXPIRED_DAYS),
        )


def remembered_id(event: RememberRequested) -> str:
    return memory_id(event.user_id, derive_id("candidate", event.event_id, "0"))


def beginning(user_id: str) -> list[Event]:
    """First statements, some of them more than once."""
    user = _User(user_id)
    paris, acme = user.lives(CITIES[0], on=1), user.works(EMPLOYERS[0], on=2)
    tea = user.likes("tea", "tea in the morning", on=3)
    jazz = user.likes("jazz at all", "jazz", on=3)
    proposed = user.proposed(
        "window 1",
        user.candidate("I play the cello", on=3, attribute="hobby", value="cello"),
        user.candidate("我每周三学西班牙语", on=3),
    )
    return [
        user.settle("zone", time_zone="Asia/Shanghai"),
        paris,
        acme,
        tea,
        jazz,
        proposed,
        paris,
        user.likes("tea again", "tea in the morning", on=4),
        user.accessed("first", paris, tea, on=5),
        user.accessed("first", paris, tea, on=5),
        proposed,
    ]


def changes_of_mind(user_id: str) -> list[Event]:
    """Other values, one of them late and one come back to; what is forgotten and said again."""
    user = _User(user_id)
    tea = user.likes("tea", "tea in the morning", on=3)
    jazz = user.likes("jazz", "jazz", on=12, agent_id=AGENT)
    policy = SharingPolicy.USER_LEVEL if hash_of(user_id) % 3 == 0 else SharingPolicy.LAYERED
    return [
        user.lives(CITIES[1], on=20),
        user.lives(CITIES[2], on=10),
        user.forget(tea),
        user.likes("tea after all", "tea in the morning", on=13),
        jazz,
        user.lives(CITIES[0], on=25),
        user.proposed("window 2"),
        user.settle("policy", sharing_policy=policy),
        user.likes("jazz again", "jazz", on=14, agent_id=AGENT),
        user.likes("jazz once more", "jazz", on=15, agent_id=AGENT),
        user.lives(CITIES[3], on=15),
        user.accessed("second", tea, jazz, on=26),
        jazz,
    ]


def in_hand(round_number: int, user_id: str) -> list[Event]:
    """What the one that is stopped has in hand: something new, and a change of what stands."""
    user = _User(user_id)
    start = 30 + 20 * round_number
    return [
        user.likes(f"held {round_number}", f"walk number {round_number}", on=start),
        user.works(EMPLOYERS[2 * round_number + 1], on=start + 10),
        user.lives(CITIES[4], on=start + 10),
        user.accessed(f"held {round_number}", user.lives(CITIES[0], on=1), on=start),
    ]


def meanwhile(round_number: int, user_id: str) -> list[Event]:
    """What others write while it is stopped: they change again what it has in hand."""
    user = _User(user_id)
    start = 30 + 20 * round_number
    walk = user.likes(f"held {round_number}", f"walk number {round_number}", on=start)
    return [
        user.works(EMPLOYERS[2 * round_number + 2], on=start + 5),
        user.likes(f"meanwhile {round_number}", f"walk number {round_number}", on=start + 1),
        user.forget(user.lives(CITIES[0], on=25)),
        user.lives(CITIES[5], on=start + 5),
        user.settle(f"language {round_number}", language="zh" if round_number % 2 else "en"),
        user.forget(walk),
        user.accessed(f"meanwhile {round_number}", walk, on=start + 2),
    ]


def hash_of(user_id: str) -> int:
    return int(derive_id("share", user_id).replace("-", "")[:8], 16)


async def of_everybody(stage: Callable[[str], Sequence[Event]]) -> list[Event]:
    """One event of each user after another, each with its vectors."""
    by_user = [stage(user_id) for user_id in USERS]
    mixed = [event for row in zip_longest(*by_user) for event in row if event is not None]
    embedder = HashingEmbedder()
    return [await _embedded(event, embedder) for event in mixed]


async def _embedded(event: Event, embedder: HashingEmbedder) -> Event:
    if not isinstance(event, VectorCarrier):
        return event
    vectors = await embedder.embed_documents(texts_of(event))
    return event.model_copy(update={"vectors": tuple(vectors)})
