"""Generate one person's days: statements follow from earlier ones, and from chance."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, groupby, pairwise
from random import Random
from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest_lab.simulation.sentence_data import SentenceCollection, load_sentences
from palimpsest_lab.simulation.user_actions import SimulatedUser, UserAction, UserActionType

FIRST_HOUR, HOURS_AWAKE = 8, 12

ACTION_WEIGHTS = {
    UserActionType.STATE: 22,
    UserActionType.CHANGE: 13,
    UserActionType.CONTRADICT: 4,
    UserActionType.LATE: 3,
    UserActionType.REPEAT: 25,
    UserActionType.STOP: 5,
    UserActionType.TELL: 9,
    UserActionType.TELL_AGAIN: 5,
    UserActionType.FORGET: 2,
    UserActionType.CHAT: 12,
}
"""How often each is done, where it can be."""

SINGLE_SHARE = 0.4
"""Of what is stated for the first time, while there are attributes of both sorts left."""

EARLIER_DAYS = 20
"""What is late may speak of so many days before the first statement of its attribute."""

TOLD_KINDS: Sequence[tuple[Kind, float | None]] = (
    (Kind.FACT, None),
    (Kind.FACT, None),
    (Kind.EVENT, None),
    (Kind.EVENT, 0.3),
    (Kind.GOAL, 0.5),
    (Kind.CONTEXT, None),
)
"""Kinds with which something is told, and the importance that it is given: some of it may be
forgotten by rule, and some never."""

_PREFERENCES = frozenset({"preferred framework", "favourite cuisine", "likes", "hobbies", "tools"})


def get_attribute_kind(attribute: str) -> Kind:
    """The kind under which a chat service has an attribute remembered."""
    if attribute == "partner":
        return Kind.PERSON
    return Kind.PREFERENCE if attribute in _PREFERENCES else Kind.FACT


@dataclass
class _Known:
    """The earlier statements, as far as they decide what can be said next."""

    single: dict[str, list[tuple[datetime, str]]] = field(default_factory=dict)
    """By attribute: what was stated, and when that was so; in the order of time."""
    multi: dict[str, list[str]] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)
    """Values that were ever said to hold, stopped and forgotten ones too."""
    told: list[UserAction] = field(default_factory=list)
    tellable: list[str] = field(default_factory=list)


class UserActionGenerator:
    """`acts` are all that this person does on these days; the same for the same `random`."""

    def __init__(self, person: SimulatedUser, random: Random) -> None:
        self._person = person
        self._random = random
        self._words: SentenceCollection = load_sentences(person.language)
        self._known = _Known(tellable=random.sample(self._words.facts, len(self._words.facts)))
        self._ids = (f"{person.user_id}-{number}" for number in count(1))
        self._now = datetime.min.replace(tzinfo=UTC)
        self._ways: dict[UserActionType, Callable[[], UserAction | None]] = {
            UserActionType.STATE: self._state,
            UserActionType.CHANGE: self._change,
            UserActionType.CONTRADICT: self._contradict,
            UserActionType.LATE: self._late,
            UserActionType.REPEAT: self._repeat,
            UserActionType.STOP: self._stop,
            UserActionType.TELL: self._tell,
            UserActionType.TELL_AGAIN: self._tell_again,
            UserActionType.FORGET: self._forget,
            UserActionType.CHAT: self._chat,
        }

    def acts(self, days: Sequence[date]) -> Iterator[UserAction]:
        """Yield one message for each of `days`, in order; a day may stand more than once."""
        for day, same in groupby(days):
            messages = len(list(same))
            for position, moment in enumerate(self._moments(day, messages)):
                self._now = moment
                yield from self._until_a_message(may_chat=position > 0)

    def _until_a_message(self, *, may_chat: bool) -> Iterator[UserAction]:
        """A day begins with a statement, so that something is to be found in each conversation."""
        while True:
            doings = [
                user_action_type
                for user_action_type in ACTION_WEIGHTS
                if may_chat or user_action_type is not UserActionType.CHAT
            ]
            (doing,) = self._random.choices(doings, [ACTION_WEIGHTS[doing] for doing in doings])
            act = self._ways[doing]()
            if act is not None:
                yield act
                if act.doing is not UserActionType.FORGET:
                    return

    def _moments(self, day: date, how_many: int) -> list[datetime]:
        """Different moments of the day, in order; some milliseconds on, so that none is twice."""
        morning = datetime.combine(day, time(FIRST_HOUR), UTC)
        awake = HOURS_AWAKE * 60 * 60
        seconds = sorted(self._random.sample(range(awake), how_many))
        return [morning + timedelta(seconds=second) for second in seconds]

    # --- what can be done; None where it cannot ---------------------------------------------

    def _state(self) -> UserAction | None:
        unsaid = [one for one in self._words.single if one not in self._known.single]
        if unsaid and self._random.random() < SINGLE_SHARE:
            attribute = self._random.choice(unsaid)
            return self._single(UserActionType.STATE, attribute, self._value(attribute, but=None))
        attribute = self._random.choice(list(self._words.multi))
        used = self._known.used.setdefault(attribute, set())
        fresh = [value for value in self._words.multi[attribute].values if value not in used]
        if not fresh:
            return None
        value = self._random.choice(fresh)
        used.add(value)
        self._known.multi.setdefault(attribute, []).append(value)
        return self._about(
            UserActionType.STATE, attribute, value, self._words.multi[attribute].state
        )

    def _change(self) -> UserAction | None:
        return self._another(UserActionType.CHANGE)

    def _contradict(self) -> UserAction | None:
        return self._another(UserActionType.CONTRADICT)

    def _another(self, doing: UserActionType) -> UserAction | None:
        attribute = self._some(self._known.single)
        if attribute is None:
            return None
        return self._single(doing, attribute, self._value(attribute, but=self._holds(attribute)))

    def _late(self) -> UserAction | None:
        attribute = self._some(self._known.single)
        if attribute is None:
            return None
        gap = self._random.choice(self._gaps(attribute))
        occurred_at = gap[0] + (gap[1] - gap[0]) * self._random.uniform(0.1, 0.9)
        neighbours = {value for at, value in self._known.single[attribute] if at in gap}
        values = [
            value for value in self._words.single[attribute].values if value not in neighbours
        ]
        value, occurred_at = self._random.choice(values), occurred_at.replace(microsecond=0)
        self._known.single[attribute].append((occurred_at, value))
        self._known.single[attribute].sort()
        return self._about(
            UserActionType.LATE,
            attribute,
            value,
            self._words.single[attribute].state,
            occurred_at=occurred_at,
        )

    def _gaps(self, attribute: str) -> list[tuple[datetime, datetime]]:
        """Between the last statement of a value and the first of the next; and before the first."""
        line = self._known.single[attribute]
        first = line[0][0]
        between = [
            (one[0], other[0])
            for one, other in pairwise(line)
            if one[1] != other[1] and other[0] - one[0] > timedelta(hours=1)
        ]
        return [(first - timedelta(days=EARLIER_DAYS), first), *between]

    def _repeat(self) -> UserAction | None:
        held = [(one, self._holds(one)) for one in self._known.single]
        several = [(one, value) for one, values in self._known.multi.items() for value in values]
        # People speak of where they live more often than of each thing they like.
        attribute, value = self._random.choice([*held, *held, *several] or [("", "")])
        if not attribute:
            return None
        if attribute in self._words.multi:
            return self._about(
                UserActionType.REPEAT, attribute, value, self._words.multi[attribute].state
            )
        words = self._words.single[attribute]
        self._known.single[attribute].append((self._now, value))
        ways = words.repeat if self._random.random() < 0.5 else words.state
        return self._about(UserActionType.REPEAT, attribute, value, ways)

    def _stop(self) -> UserAction | None:
        attribute = self._some({one: values for one, values in self._known.multi.items() if values})
        if attribute is None:
            return None
        value = self._random.choice(self._known.multi[attribute])
        self._known.multi[attribute].remove(value)
        return self._about(UserActionType.STOP, attribute, value, self._words.multi[attribute].stop)

    def _tell(self) -> UserAction | None:
        if not self._known.tellable:
            return None
        text = self._known.tellable.pop()
        kind, importance = self._random.choice(TOLD_KINDS)
        act = self._act(
            UserActionType.TELL, text=text, value=text, kind=kind, importance=importance
        )
        self._known.told.append(act)
        return act

    def _tell_again(self) -> UserAction | None:
        if not self._known.told:
            return None
        before = self._random.choice(self._known.told)
        return self._act(
            UserActionType.TELL_AGAIN,
            text=before.text,
            value=before.value,
            kind=before.kind,
            importance=before.importance,
        )

    def _forget(self) -> UserAction | None:
        """Return a command to forget; a forgotten item is spoken of no more."""
        several = [(one, value) for one, values in self._known.multi.items() for value in values]
        told = len(self._known.told)
        chosen = self._random.randrange(told + len(several)) if told + len(several) else None
        if chosen is None:
            return None
        if chosen < told:
            return self._act(UserActionType.FORGET, value=self._known.told.pop(chosen).value)
        attribute, value = several[chosen - told]
        self._known.multi[attribute].remove(value)
        return self._act(UserActionType.FORGET, attribute=attribute, value=value)

    def _chat(self) -> UserAction:
        return self._act(UserActionType.CHAT, text=self._random.choice(self._words.chat))

    # --- how it is said -----------------------------------------------------------------------

    def _single(self, doing: UserActionType, attribute: str, value: str) -> UserAction:
        words = self._words.single[attribute]
        old = self._holds(attribute) if attribute in self._known.single else ""
        self._known.single.setdefault(attribute, []).append((self._now, value))
        ways = words.change if doing is UserActionType.CHANGE else words.state
        return self._about(doing, attribute, value, ways, old=old)

    def _about(
        self,
        doing: UserActionType,
        attribute: str,
        value: str,
        ways: Sequence[str],
        *,
        old: str = "",
        occurred_at: datetime | None = None,
    ) -> UserAction:
        # Not `format`: values may hold anything.
        text = self._random.choice(ways).replace("{old}", old).replace("{value}", value)
        return self._act(
            doing,
            text=text,
            attribute=attribute,
            value=value,
            kind=get_attribute_kind(attribute),
            **({"occurred_at": occurred_at} if occurred_at else {}),
        )

    def _act(self, doing: UserActionType, **fields: Any) -> UserAction:
        return UserAction(
            **{
                "id": next(self._ids),
                "person": self._person,
                "doing": doing,
                "day": self._now.date(),
                "occurred_at": self._now,
                **fields,
            }
        )

    def _holds(self, attribute: str) -> str:
        return self._known.single[attribute][-1][1]

    def _value(self, attribute: str, *, but: str | None) -> str:
        values = self._words.single[attribute].values
        return self._random.choice([value for value in values if value != but])

    def _some(self, attributes: dict[str, Any]) -> str | None:
        return self._random.choice(list(attributes)) if attributes else None
