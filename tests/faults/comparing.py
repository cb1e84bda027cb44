"""A disturbed run against an undisturbed one, and both against what was said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.model.memory import Status
from tests.faults.feed import Feed
from tests.faults.injecting import Done
from tests.faults.running import Outcome
from tests.faults.scale import Scale

LEAST_KNOWN = 100
"""Of fewer memories equal ends would say little."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    seed: int
    scale: Scale
    events: int
    sent_again: int
    poison: int
    known: int
    memories: int
    statuses: dict[str, int]
    ledger: Sequence[Done]
    starts: int
    said_again: int
    disk: str
    seconds: tuple[float, float]
    """Of the undisturbed and of the disturbed run."""
    digest: str
    wrong: Sequence[str]
    """Nothing, where all is well."""


def compare(
    seed: int, scale: Scale, feed: Feed, undisturbed: Outcome, disturbed: Outcome
) -> Comparison:
    peaceful, found = Counter(undisturbed.state.whole), Counter(disturbed.state.whole)
    wrong = [
        *(f"undisturbed: {each}" for each in undisturbed.wrong),
        *disturbed.wrong,
        *(f"only undisturbed: {each}" for each in (peaceful - found).elements()),
        *(f"only disturbed: {each}" for each in (found - peaceful).elements()),
    ]
    if undisturbed.state.digest != disturbed.state.digest:
        wrong.append("the digests of the two runs differ")
    if len(feed.known) < LEAST_KNOWN:
        wrong.append(f"only {len(feed.known)} memories are known beforehand")
    statuses = Counter(memory.status for memory in disturbed.state.memories)
    if (
        min(statuses[status] for status in (Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN))
        == 0
    ):
        wrong.append("it was no run worth comparing: a status does not occur")
    return Comparison(
        seed=seed,
        scale=scale,
        events=feed.events,
        sent_again=feed.sent_again,
        poison=len(feed.poison),
        known=len(feed.known),
        memories=len(disturbed.state.memories),
        statuses={status.value: count for status, count in sorted(statuses.items())},
        ledger=disturbed.ledger,
        starts=disturbed.starts,
        said_again=disturbed.said_again,
        disk=disturbed.disk,
        seconds=(undisturbed.seconds, disturbed.seconds),
        digest=disturbed.state.digest,
        wrong=wrong,
    )
