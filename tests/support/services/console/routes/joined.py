"""The console with the real one writer behind it, on the same stores."""

from collections.abc import Sequence

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.model.user import UserState
from palimpsest_server.embedders.embedded_texts import texts_of
from tests.support.services.console.routes.world import World, Writer
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator


class RealWriter(Writer):
    """Embedder and consolidator, without Kafka between them."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.stores = Stores.in_memory()
        self.stores.change_sets = world.change_sets
        self.stores.memories = world.memories
        self.stores.erasures = world.erasures
        self.stores.todos = world.todos
        self.stores.entities = world.entities
        self.stores.namespaces = world.namespaces
        self.consolidator = Consolidator(self.stores, world.clock)
        self._heard = 0

    async def of(self, user_ids: Sequence[str]) -> dict[str, UserState]:  # type: ignore[override]
        settings, epochs = (
            await self.stores.settings.of(user_ids),
            await self.stores.epochs.of(user_ids),
        )
        return {
            user_id: UserState(settings=settings[user_id], epoch=epochs[user_id])
            for user_id in user_ids
        }

    async def _decide(self, event: Event) -> None:
        rejections = await self.consolidator.handle(_embedded(event))
        assert rejections == []
        published = [event for _, event in self.stores.published.events[self._heard :]]
        self._heard = len(self.stores.published.events)
        for each in published:
            if isinstance(each, ChangeSetAnnounced):
                await self._world.announce(each)


def _embedded(event: Event) -> Event:
    if not isinstance(event, VectorCarrier):
        return event
    vectors = tuple(vectors_of(text.dense) for text in texts_of(event))
    return event.model_copy(update={"vectors": vectors})


def joined() -> World:
    world = World()
    world.writer = RealWriter(world)
    return world
