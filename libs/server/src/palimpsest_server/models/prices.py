"""Prices of tokens, and an estimate of a text's tokens."""

import math
from typing import Any

from pydantic import NonNegativeFloat

from palimpsest.model.bilingual_text import display_width
from palimpsest.model.value_types import Value
from palimpsest_server.models.language_model import Prompt, TokenUsage

CHARACTERS_PER_TOKEN = 3.5
"""Latin characters in a token, on the low side of the vendors' tokenizers for prose and JSON. A Chinese
character counts as two: about .6 tokens, as newer tokenizers have it."""

SCHEMA_TOKENS = 600
"""Approximate tokens that the schema of an answer adds to the prompt."""


class ModelPrices(Value):
    """Prices of a million tokens, in the currency of the budgets."""

    input: NonNegativeFloat
    cached_input: NonNegativeFloat | None = None
    """None if tokens read from the cache cost like the rest."""
    output: NonNegativeFloat

    def millionths(self, usage: TokenUsage) -> int:
        """Return the cost in millionths of the currency, rounded up."""
        cached = self.input if self.cached_input is None else self.cached_input
        fresh_tokens = usage.input_tokens - usage.cached_input_tokens
        return math.ceil(
            fresh_tokens * self.input
            + usage.cached_input_tokens * cached
            + usage.output_tokens * self.output
        )


FREE = ModelPrices(input=0.0, output=0.0)


PICTURE_TOKENS = 1_600
"""Tokens of a picture: about what both vendors charge for a megapixel, and more than most pictures have."""


def estimate_usage(prompt: Prompt[Any], *, maximum_output_tokens: int) -> TokenUsage:
    """Estimate the largest likely use of a call: the prompt, and all tokens allowed for the answer."""
    sent = estimate_tokens(prompt.instructions, *(message.text for message in prompt.said))
    sent += PICTURE_TOKENS * sum(len(message.pictures) for message in prompt.said)
    return TokenUsage(input_tokens=sent + SCHEMA_TOKENS, output_tokens=maximum_output_tokens)


def estimate_tokens(*texts: str) -> int:
    return math.ceil(sum(map(display_width, texts)) / CHARACTERS_PER_TOKEN)
