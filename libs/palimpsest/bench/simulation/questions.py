"""What each user is asked: by the generator alone, whatever the product knows."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from palimpsest.bench.simulation.acts import Form, Item, Person
from palimpsest.bench.simulation.retiring import may_be_retired
from palimpsest.bench.simulation.truth import Truth

MARGIN = {Form.PLAIN: timedelta(days=10), Form.REMEMBERED: timedelta()}
"""So near to a change nobody is asked about the past: "we moved last week" says no more."""


def single_values(truth: Truth, person: Person, at: datetime) -> Iterator[Item]:
    """What holds then, of each attribute with one value of which something was said before."""
    for (user_id, attribute), line in truth.lines.items():
        value = line.at(at) if user_id == person.user_id else None
        if value is not None:
            yield Item(user_id, attribute, value)


def several_values(truth: Truth, person: Person, at: datetime) -> Iterator[tuple[Item, bool]]:
    """Each value that was ever said before then, and whether it still held."""
    for item, one in truth.several.items():
        mine = item.user_id == person.user_id and item not in truth.forgotten
        if mine and one.since <= at:
            yield item, one.at(at)


def told(truth: Truth, person: Person, at: datetime) -> Iterator[Item]:
    """What was told and no rule has let go."""
    for item, act in truth.told.items():
        mine = item.user_id == person.user_id and item not in truth.forgotten
        if mine and not may_be_retired(act, at):
            yield item


def changes_near(truth: Truth, person: Person, item: Item, at: datetime) -> bool:
    """Whether it begins or ends so near to that moment that a plain sentence need not tell."""
    margin = MARGIN[person.form]
    if item in truth.several:
        one = truth.several[item]
        turns = [one.since, *([one.until] if one.until else [])]
    else:
        turns = list(truth.lines[item.user_id, item.attribute or ""].turns())
    return any(abs(turn - at) < margin for turn in turns)
