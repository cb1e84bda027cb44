"""Change sets as the consolidator decides them."""

from typing import Any

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import Cause, ChangeSet, change_set_id
from palimpsest.model.vectors import SparseVector
from palimpsest_server.stores.change_sets import DecidedChangeSet
from tests.support.server.domain.consolidation.samples import day

VECTORS = TextVectors.pack("tiny", [0.5, 0.25], SparseVector(indices=(3, 7), values=(1.0, 2.0)))


def decided(user_id: str, revision: int, event_id: str = "", **fields: Any) -> DecidedChangeSet:
    event_id = event_id or f"e{revision}"
    change_set = ChangeSet.model_validate(
        {
            "id": change_set_id(user_id, event_id),
            "user_id": user_id,
            "revision": revision,
            "epoch": fields.pop("epoch", 0),
            "cause": Cause(
                event_id=event_id, type="SetSettings", occurred_at=day(0), received_at=day(0)
            ),
            "actor": "user",
            "reason": "added",
            "decided_at": day(1),
            "changes": fields.pop("changes", ()),
            **fields,
        }
    )
    vectors = {change.after.id: VECTORS for change in change_set.memory_changes}
    return DecidedChangeSet(change_set=change_set, vectors=vectors)
