"""Choose the language in which a block is written."""

from palimpsest.api.context import ContextRequest
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.user import Language, UserState
from palimpsest_language.language_detection import detect_written_language
from palimpsest_server.stores.written_language import WrittenLanguages


async def choose_block_language(
    request: ContextRequest, state: UserState, told: str, written: WrittenLanguages | None
) -> Language:
    """Return the language of a block.

    It is the one requested or set, else that of the question, of what is `told`, or of the user.

    A question such as `ok` or `Kafka?` is in no language. What a user has written is read only
    where there is nothing else to go by; `written` is None where memory is off or unseen, for then
    nothing that is stored may show.
    """
    settled = request.language or state.settings.language
    if settled is not None:
        return settled
    if said := detect_written_language(request.query or "") or detect_written_language(told):
        return said
    found = await written.of(request.user_id) if written is not None else None
    return found or detect_language(request.system_prompt)
