"""The corrected statement: what rests on the slip's words alone, with the right value in place."""

from collections.abc import Collection, Sequence

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposals import MessageQuote, Proposal

AROUND = " .,!?;:…。，！？；："


def list_user_messages(
    message: DialogueMessage, said_before: Sequence[DialogueMessage]
) -> set[int]:
    """The numbers of the user's messages: of this one, and of those before it."""
    return {message.number, *(one.number for one in said_before if one.role is Role.USER)}


def rests_only_on(proposal: Proposal, cited: MessageQuote, of_user: Collection[int]) -> bool:
    """Tell whether on nothing else that the user said."""
    own = [each for each in proposal.evidence if each.message in of_user]
    return bool(own) and all(
        each.message == cited.message and each.quote.strip(AROUND) in cited.quote for each in own
    )


def build_corrected_statement(
    said: Proposal, wrong: str, value: str, cited: MessageQuote
) -> Proposal:
    """The statement as it was meant, by the words that say so; `wrong` is its value and in its content."""
    return said.model_copy(
        update={
            "value": value,
            "content": said.content.replace(wrong, value),
            "replaces": wrong,
            "entities": tuple(value if one == wrong else one for one in said.entities),
            "evidence": (cited,),
        }
    )
