"""The state of the user of these tests, as it is stored."""

from palimpsest.model.user import UserState
from palimpsest_server.stores.cached_user_states import StoredUserStates
from tests.support.services.consolidator.stores import Stores


async def state(stores: Stores) -> UserState:
    states = StoredUserStates(stores.settings, stores.epochs, stores.erasures, stores.withheld)
    return (await states.of(["alice"]))["alice"]
