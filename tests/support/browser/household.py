"""A user with something in every view: the bundled conversation, and what people add by hand."""

from palimpsest.client import PalimpsestClient
from services.host.demo.conversation import load_bundled_conversation
from services.host.demo.playback import play_conversation, wait_until_remembered

USER = load_bundled_conversation().user_id


async def fill(client: PalimpsestClient) -> None:
    """Tell all of it, and return once it is remembered."""
    conversation = load_bundled_conversation()
    await play_conversation(client, conversation, lambda _: None)
    await wait_until_remembered(client, conversation)
