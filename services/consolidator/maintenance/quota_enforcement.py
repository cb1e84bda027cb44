"""Makes room in a full namespace, in the same change set that adds to it."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Tier, UserSettings
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingVerdict
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from palimpsest_server.domain.quotas import (
    ACTIVE_MEMORY_LIMITS,
    OVER_QUOTA_REASON,
    select_over_quota,
)
from services.consolidator.maintenance.maintenance_run import (
    MAXIMUM_CHANGE_BYTES,
    MaintenanceOutcome,
    estimate_change_bytes,
)


def get_memory_limit(settings: UserSettings, default: Tier) -> int | None:
    """Return the highest number of active memories of a user with each agent; None without a limit."""
    return ACTIVE_MEMORY_LIMITS[settings.tier or default]


class QuotaEnforcer:
    """Enforces quotas in the namespaces that a run of events may add to. No I/O.

    `counts` holds the number of active memories at the start of the run, for namespaces with a
    limit. The overlay holds all active memories of a namespace whose limit may be reached.
    `accesses` are by user id and memory id.
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
        return get_memory_limit(settings, self._default)

    def make(
        self, known: Overlay, settings: Mapping[str, UserSettings]
    ) -> list[MaintenanceOutcome]:
        """Retire memories so that those just put into `known` fit; return the outcomes.

        Every memory that becomes active counts as added: new, restored, and after an undo.
        """
        if not self._counts:
            return []
        retired: list[MaintenanceOutcome] = []
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
    ) -> Iterator[MaintenanceOutcome]:
        policy = POLICIES[settings.forgetting_policy]
        for memory in _active(known, namespace):
            if memory.id in added:
                continue
            accesses = self._recalled(namespace).get(memory.id, Accesses())
            judgement = decide_forgetting(
                RetentionState(memory, accesses, self._now),
                policy,
                tied_to_todo=known.todos.is_open(memory.id),
            )
            if judgement.verdict is ForgettingVerdict.FORGOTTEN:
                known.put(change_status(memory, Status.FORGOTTEN, reason=judgement.reason))
                yield MaintenanceOutcome.FORGOTTEN

    def _archived(
        self, known: Overlay, namespace: Namespace, added: set[str], limit: int
    ) -> Iterator[MaintenanceOutcome]:
        active = _active(known, namespace)
        room = MAXIMUM_CHANGE_BYTES
        for memory in select_over_quota(active, added, self._recalled(namespace), limit=limit):
            # A lowered tier may retire more than fits a change set: the next addition and the next
            # night continue.
            room -= estimate_change_bytes(memory)
            if room < 0:
                return
            known.put(change_status(memory, Status.ARCHIVED, reason=OVER_QUOTA_REASON))
            yield MaintenanceOutcome.OVER_QUOTA

    def _recalled(self, namespace: Namespace) -> Mapping[str, Accesses]:
        return self._accesses.get(namespace.user_id, {})


def _active(known: Overlay, namespace: Namespace) -> list[Memory]:
    return [memory for memory in known.of_namespace(namespace) if memory.status is Status.ACTIVE]


def _additions(known: Overlay) -> list[tuple[Namespace, set[str], int]]:
    """Return, for each changed namespace, the memories that became active in it and the net additions."""
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
