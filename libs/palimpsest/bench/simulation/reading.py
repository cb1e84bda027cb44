"""What the product answers when it is asked, over HTTP: everything it holds of a user."""

from collections.abc import Collection, Sequence
from datetime import datetime

from palimpsest.bench.simulation.acts import Person
from palimpsest.bench.simulation.judging import Held
from palimpsest.client import PalimpsestClient
from palimpsest.domain.memory import Memory, Status

PAGE = 500

EVERYTHING = frozenset(Status) - {Status.PURGED}


async def read(
    client: PalimpsestClient, person: Person, *, now: datetime, moments: Sequence[datetime] = ()
) -> Held:
    """Everything of one user, and what is listed as of these moments."""
    return Held(
        person=person,
        now=now,
        everything=await _listed(client, person, status=EVERYTHING),
        as_of={moment: await _listed(client, person, as_of=moment) for moment in moments},
    )


async def _listed(
    client: PalimpsestClient,
    person: Person,
    *,
    status: Collection[Status] | None = None,
    as_of: datetime | None = None,
) -> list[Memory]:
    memories: list[Memory] = []
    cursor = None
    while True:
        page = await client.list(
            user_id=person.user_id, status=status, as_of=as_of, limit=PAGE, cursor=cursor
        )
        memories += page.memories
        cursor = page.next_cursor
        if cursor is None:
            return memories
