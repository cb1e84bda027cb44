"""How much each sign of relevance weighs. Weights are measured, and named after what on."""

from typing import Annotated

from pydantic import Field

from palimpsest.domain.model import Value

Weight = Annotated[float, Field(ge=0.0)]


class RankingPolicy(Value):
    """The weights of one ranking. A score is the sum of its parts, so it has no upper end of 1."""

    name: str
    dense: Weight
    """Of the similarity in meaning, scaled to 0..1 over what the search found."""
    sparse: Weight
    """Of the words in common, scaled to 0..1 over what the search found."""
    neighbours: Weight
    """Of the relevance (dense and sparse) of each turn beside this one."""
    speaker: Weight
    """For being said by, or being about, somebody whom the question names."""
    length: Weight
    """For saying enough: full at `full_length` Latin characters."""
    full_length: Annotated[int, Field(ge=1)]


DIALOGUE = RankingPolicy(
    name="dialogue",
    dense=0.5,
    sparse=0.5,
    neighbours=0.3,
    speaker=0.2,
    length=0.1,
    full_length=200,
)
"""Measured on conversations between two people over several months, one vector for each turn."""
