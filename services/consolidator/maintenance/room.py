"""Makes room where a namespace is full, in the very change set that adds to it."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.forgetting.judging import judged
from palimpsest.domain.forgetting.policies import POLICIES
from palimpsest.domain.forgetting.policy import Verdict
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.memory import Accesses, Memory, Status
from palimpsest.domain.quotas import LIMITS, OVER_QUOTA, over_quota
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import Tier, UserSettings
from services.consolidator.maintenance.running import MOST_BYTES, Maintained, bytes_of_change


def limit_of(settings: UserSettings, default: Tier) -> int | None:
    """How many active memories this user may have with each agent; None is no limit."""
    return LIMITS[settings.tier or default]


class Room:
    """How full the namespaces are that a run of events may add to. No I/O.

    `counts` holds their active memories when the run began, of those that have
    a limit; the overlay holds all of them wherever it may be reached. `accesses`
    are by user and memory id.
    """

    def __init__(
        self,
        counts: Mapping[Namespace, int],
        accesses: Mapping[str, Mapping[str, Accesses]],
        *,
        default: Tier,
        now: datetime,
    ) -> None:
        self._counts = dict(counts)
        self._accesses = accesses
        self._default = default
        self._now = now

    def limit(self, settings: UserSettings) -> int | None:
        return limit_of(settings, self._default)

    def make(self, known: Overlay, settings: Mapping[str, UserSettings]) -> list[Maintained]:
        """Retire what has to go, so that what was just put into `known` fits.

        Whatever becomes active counts as added, restored and undone ones too.
        """
        if not self._counts:
            return []
        retired: list[Maintained] = []
        for namespace, added, net in _additions(known):
            if namespace not in self._counts:
                continue
            count = self._counts[namespace] + net
            own = settings[namespace.user_id]
            limit = self.limit(own)
            if added and limit is not None and count > limit:
                gone = [
                    *self._forgotten(known, namespace, added, own),
                    *self._archived(known, namespace, added, limit),
                ]
                count -= len(gone)
                retired += gone
            self._counts[namespace] = count
        return retired

    def _forgotten(
        self, known: Overlay, namespace: Namespace, added: set[str], settings: UserSettings
    ) -> Iterator[Maintained]:
        policy = POLICIES[settings.forgetting_policy]
        for memory in _active(known, namespace):
            if memory.id in added:
                continue
            accesses = self._recalled(namespace).get(memory.id, Accesses())
            judgement = judged(
                Standing(memory, accesses, self._now),
                policy,
                tied_to_todo=known.todos.is_open(memory.id),
            )
            if judgement.verdict is Verdict.FORGOTTEN:
                known.put(moved(memory, Status.FORGOTTEN, reason=judgement.reason))
                yield Maintained.FORGOTTEN

    def _archived(
        self, known: Overlay, namespace: Namespace, added: set[str], limit: int
    ) -> Iterator[Maintained]:
        active = _active(known, namespace)
        room = MOST_BYTES
        for memory in over_quota(active, added, self._recalled(namespace), limit=limit):
            # After a tier was lowered more may have to go than fits a change set: the next
            # addition and the next night go on with it.
            room -= bytes_of_change(memory)
            if room < 0:
                return
            known.put(moved(memory, Status.ARCHIVED, reason=OVER_QUOTA))
            yield Maintained.OVER_QUOTA

    def _recalled(self, namespace: Namespace) -> Mapping[str, Accesses]:
        return self._accesses.get(namespace.user_id, {})


def _active(known: Overlay, namespace: Namespace) -> list[Memory]:
    return [one for one in known.of_namespace(namespace) if one.status is Status.ACTIVE]


def _additions(known: Overlay) -> list[tuple[Namespace, set[str], int]]:
    """For each namespace that changed: what became active in it, and how many more are now."""
    added: dict[Namespace, set[str]] = {}
    net: dict[Namespace, int] = {}
    for change in known.coming_changes():
        before, after = change.before, change.after
        namespace = after.scope.namespace
        was = before is not None and before.status is Status.ACTIVE
        now = after.status is Status.ACTIVE
        net[namespace] = net.get(namespace, 0) + now - was
        added.setdefault(namespace, set()).update({after.id} if now and not was else ())
    return [(namespace, added[namespace], net[namespace]) for namespace in net]
