"""Chooses the language in which a context block is written."""

from palimpsest.api.context import ContextRequest
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.user import Language, UserState
from palimpsest_language.language_detection import detect_written_language
from palimpsest_server.stores.written_language import WrittenLanguages


async def choose_block_language(
    request: ContextRequest, state: UserState, told: str, written: WrittenLanguages | None
) -> Language:
    """Return the language of a block.

    It is the requested language or the user's setting; otherwise that of the question or of `told`;
    otherwise that of the user's messages. A question such as `ok` or `Kafka?` has no language.
    Messages are read only as a last resort. `written` is None while memory is off or hidden,
    because then nothing stored may show.
    """
    settled = request.language or state.settings.language
    if settled is not None:
        return settled
    if said := detect_written_language(request.query or "") or detect_written_language(told):
        return said
    found = await written.of(request.user_id) if written is not None else None
    return found or detect_language(request.system_prompt)
