"""Fit the material into a token budget, best items first."""

from bisect import bisect_right
from collections.abc import Callable

from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest_server.domain.context.material import (
    ContextItem,
    ContextMaterial,
    EarlierConversation,
    WrittenContext,
)
from palimpsest_server.domain.context.truncation import truncate_text, truncate_to_sentences

PROFILE_SHARE = 0.3
PROFILE_SHARE_BESIDE_ITEMS = 0.08
RUNNING_SUMMARY_SHARE = 0.2
CONVERSATIONS_SHARE = 0.3
"""Shares of a budget that is too small for everything, so that items do not crowd out the profile or the
profile the items. The conversations get their share of the rest after the profile. Beside items, each more
for the profile costs evidence: with .1, .5 % less evidence fitted into 500 tokens for 231 questions on two
LoCoMo conversations; with .3, 1.2 % less."""

MISSES = 8
"""Number of items in a row that do not fit, after which no more are tried."""

_Write = Callable[[ContextMaterial], WrittenContext]
_Size = Callable[[ContextMaterial], int]


def count_context_tokens(
    material: ContextMaterial, write: _Write, count: Callable[[str], int]
) -> int:
    """Count the tokens that memory adds to a prompt: the block and the running summary with their marks."""
    return count(wrap_in_markers(write(material).block)) + count(
        wrap_in_markers(material.running_summary)
    )


def fit_to_token_budget(
    material: ContextMaterial, write: _Write, *, budget: int, count: Callable[[str], int]
) -> ContextMaterial:
    """Return the part of the material that adds at most `budget` tokens to a prompt.

    If everything fits, everything stays. Else the profile and the running summary are cut at a
    sentence, the latest conversations are taken as long as they fit, and each item that fits is
    taken. Profile, running summary and conversations keep their shares, or lose only the excess.
    A format's text for an unknown user stays whatever the budget, but only if nothing is known.
    """

    def size(of: ContextMaterial) -> int:
        return count_context_tokens(of, write, count)

    known = material.profile or material.running_summary or material.conversations or material.items
    if not known or size(material) <= budget:
        return material
    nothing = material._replace(
        profile="", running_summary="", conversations=(), items=(), withheld=True
    )
    whole = material._replace(withheld=True)

    def shortened(
        text: str, put: Callable[[ContextMaterial, str], ContextMaterial], share: float
    ) -> str:
        over = size(whole) - budget
        room = max(budget * share, size(put(nothing, text)) - over)
        # Half a sentence about the user is better than none, but not better than an item.
        shorten = truncate_to_sentences if material.items else truncate_text
        return shorten(text, lambda beginning: size(put(nothing, beginning)) <= room)

    share = PROFILE_SHARE_BESIDE_ITEMS if material.items else PROFILE_SHARE
    whole = _with_profile(whole, shortened(material.profile, _with_profile, share))
    whole = _with_running(
        whole, shortened(material.running_summary, _with_running, RUNNING_SUMMARY_SHARE)
    )
    kept = whole._replace(conversations=(), items=())
    kept = kept._replace(conversations=_fit_conversations(whole, kept, budget, size))
    return kept._replace(items=_among_themselves(_items(material, kept, size, budget)))


def _among_themselves(items: tuple[ContextItem, ...]) -> tuple[ContextItem, ...]:
    """Return the items without conflicts that name an item which did not fit."""
    numbers = {item.number for item in items}
    return tuple(
        item._replace(
            conflicts=tuple(conflict for conflict in item.conflicts if conflict in numbers)
        )
        if item.conflicts
        else item
        for item in items
    )


def _with_profile(material: ContextMaterial, text: str) -> ContextMaterial:
    return material._replace(profile=text)


def _with_running(material: ContextMaterial, text: str) -> ContextMaterial:
    return material._replace(running_summary=text)


def _fit_conversations(
    whole: ContextMaterial, kept: ContextMaterial, budget: int, size: _Size
) -> tuple[EarlierConversation, ...]:
    of_items = size(whole) - size(whole._replace(items=()))
    used = size(kept)
    room = max(used + (budget - used) * CONVERSATIONS_SHARE, budget - of_items)
    conversations: tuple[EarlierConversation, ...] = ()
    for conversation in whole.conversations:
        if size(kept._replace(conversations=(*conversations, conversation))) > room:
            break
        conversations = (*conversations, conversation)
    return conversations


def _items(
    material: ContextMaterial, kept: ContextMaterial, size: _Size, budget: int
) -> tuple[ContextItem, ...]:
    # More items never take fewer tokens, so bisection finds how many of the best fit.
    whole = len(material.items)
    fitting = bisect_right(
        range(1, whole + 1), budget, key=lambda n: size(kept._replace(items=material.items[:n]))
    )
    items, misses = material.items[:fitting], 0
    for item in material.items[fitting:]:
        if size(kept._replace(items=(*items, item))) <= budget:
            items, misses = (*items, item), 0
        else:
            misses += 1
            if misses == MISSES:
                break
    return items
