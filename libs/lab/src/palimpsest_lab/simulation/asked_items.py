"""Choose what each user is asked: by the generator alone, whatever the product knows."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from palimpsest_lab.simulation.ground_truth import GroundTruth
from palimpsest_lab.simulation.retirement_rules import is_retirable
from palimpsest_lab.simulation.user_actions import KnowableItem, SimulatedUser, StatementForm

MARGIN = {StatementForm.PLAIN: timedelta(days=10), StatementForm.REMEMBERED: timedelta()}
"""So near to a change nobody is asked about the past: "we moved last week" says no more."""


def list_single_values(
    truth: GroundTruth, person: SimulatedUser, at: datetime
) -> Iterator[KnowableItem]:
    """List what holds at the moment of each single-valued attribute that was told before."""
    for (user_id, attribute), line in truth.lines.items():
        value = line.at(at) if user_id == person.user_id else None
        if value is not None:
            yield KnowableItem(user_id, attribute, value)


def list_multiple_values(
    truth: GroundTruth, person: SimulatedUser, at: datetime
) -> Iterator[tuple[KnowableItem, bool]]:
    """Each value that was ever said before then, and whether it still held."""
    for item, period in truth.several.items():
        mine = item.user_id == person.user_id and item not in truth.forgotten
        if mine and period.since <= at:
            yield item, period.at(at)


def list_told_items(
    truth: GroundTruth, person: SimulatedUser, at: datetime
) -> Iterator[KnowableItem]:
    """List what was told and no rule has retired."""
    for item, act in truth.told.items():
        mine = item.user_id == person.user_id and item not in truth.forgotten
        if mine and not is_retirable(act, at):
            yield item


def is_changing_near(
    truth: GroundTruth, person: SimulatedUser, item: KnowableItem, at: datetime
) -> bool:
    """Return whether it begins or ends so near to the moment that a plain sentence need not tell."""
    margin = MARGIN[person.form]
    if item in truth.several:
        period = truth.several[item]
        turns = [period.since, *([period.until] if period.until else [])]
    else:
        turns = list(truth.lines[item.user_id, item.attribute or ""].turns())
    return any(abs(turn - at) < margin for turn in turns)
