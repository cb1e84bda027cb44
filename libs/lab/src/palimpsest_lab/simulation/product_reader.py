"""Read everything that the product holds of a user, over HTTP."""

from collections.abc import Collection, Sequence
from datetime import datetime

from palimpsest.client import PalimpsestClient
from palimpsest.client.memory_pages import iterate_memories
from palimpsest.model.memory import Memory, Status
from palimpsest_lab.simulation.answer_scoring import ProductAnswers
from palimpsest_lab.simulation.user_actions import SimulatedUser

ALL_STATUSES = frozenset(Status) - {Status.PURGED}


async def read_product_answers(
    client: PalimpsestClient,
    person: SimulatedUser,
    *,
    now: datetime,
    moments: Sequence[datetime] = (),
) -> ProductAnswers:
    """Read all memories of one user, and those listed as of these moments."""
    return ProductAnswers(
        person=person,
        now=now,
        everything=await _listed(client, person, status=ALL_STATUSES),
        as_of={moment: await _listed(client, person, as_of=moment) for moment in moments},
    )


async def _listed(
    client: PalimpsestClient,
    person: SimulatedUser,
    *,
    status: Collection[Status] | None = None,
    as_of: datetime | None = None,
) -> list[Memory]:
    memories = iterate_memories(client, user_id=person.user_id, status=status, as_of=as_of)
    return [memory async for memory in memories]
