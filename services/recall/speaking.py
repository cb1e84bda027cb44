"""In which language a block is written."""

from palimpsest.contracts.context import ContextRequest
from palimpsest.domain.context.languages import told_language
from palimpsest.domain.user import Language, UserState
from palimpsest.domain.writing import language_of
from palimpsest.stores.written_language import WrittenLanguages


async def language_for(
    request: ContextRequest, state: UserState, told: str, written: WrittenLanguages | None
) -> Language:
    """The one that is asked for or settled; that of the question, of what is `told`, of the user.

    A question such as `ok` or `Kafka?` is in no language. What a user has written is read only
    where there is nothing else to go by; `written` is None where memory is off or unseen, for then
    nothing that is stored may show.
    """
    settled = request.language or state.settings.language
    if settled is not None:
        return settled
    if said := told_language(request.query or "") or told_language(told):
        return said
    found = await written.of(request.user_id) if written is not None else None
    return found or language_of(request.system_prompt)
