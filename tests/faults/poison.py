"""Records that nobody can take, each of another kind, and which stage must set them aside."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.events.topics import CONVERSATIONS, Topic

SHARE_OF_USERS = 0.5


@dataclass(frozen=True, kw_only=True)
class Poison:
    topic: Topic
    value: bytes
    after: int
    """It is sent behind the event at this place."""

    @property
    def letter(self) -> tuple[str, str, str]:
        """How its dead letter is known: stage, topic, and a digest of the record."""
        return self.topic.readers[0], self.topic.name, hashlib.sha256(self.value).hexdigest()


def poisons(
    chances: random.Random,
    user_id: str,
    said: Sequence[Mapping[str, Any]],
    topics: Sequence[Topic],
    *,
    stage: int,
) -> Iterator[Poison]:
    """Some records of this user that have to be set aside, or none."""
    if chances.random() > SHARE_OF_USERS:
        return
    mark = f"{user_id} {stage}"
    topic = chances.choice(topics)
    kinds: tuple[tuple[Topic, bytes], ...] = (
        (topic, f"{mark} is no JSON {{".encode()),
        (topic, json.dumps({"type": "NoSuchThing", "user_id": mark}).encode()),
        (topic, json.dumps({**_fields(topic, mark), "schema_version": 99}).encode()),
        (CONVERSATIONS, json.dumps({**_fields(CONVERSATIONS, mark), "role": "oracle"}).encode()),
    )
    chosen, value = chances.choice(kinds)
    place = chances.randrange(len(said))
    yield Poison(topic=chosen, value=value, after=place)
    message = next((each for each in said[: place + 1] if each["type"] == "MessageAdded"), None)
    if message is not None:
        other = {**message, "text": f"Not what {mark} said."}
        yield Poison(
            topic=CONVERSATIONS, value=json.dumps(other, ensure_ascii=False).encode(), after=place
        )


def _fields(topic: Topic, mark: str) -> dict[str, Any]:
    return {"type": topic.models[0].model_fields["type"].default or "MessageAdded", "user_id": mark}
