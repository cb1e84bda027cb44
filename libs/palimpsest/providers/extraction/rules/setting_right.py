"""What all that sets a slip right does alike: what rests on its words alone, and the right value in place."""

from collections.abc import Collection, Sequence

from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import Message
from palimpsest.providers.extraction.proposals_found import Citation, Proposal

AROUND = " .,!?;:…。，！？；："


def said_by_user(message: Message, said_before: Sequence[Message]) -> set[int]:
    """The numbers of the user's messages: of this one, and of those before it."""
    return {message.number, *(one.number for one in said_before if one.role is Role.USER)}


def rests_only_on(proposal: Proposal, cited: Citation, of_user: Collection[int]) -> bool:
    """Whether on nothing else that the user said."""
    own = [each for each in proposal.evidence if each.message in of_user]
    return bool(own) and all(
        each.message == cited.message and each.quote.strip(AROUND) in cited.quote for each in own
    )


def with_value(said: Proposal, wrong: str, value: str, cited: Citation) -> Proposal:
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
