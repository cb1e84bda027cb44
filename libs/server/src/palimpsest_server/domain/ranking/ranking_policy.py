"""Weights of the default ranking, named after the data that they were measured on."""

from typing import Annotated

from pydantic import Field

from palimpsest.model.value_types import Value

Weight = Annotated[float, Field(ge=0.0)]


class RankingPolicy(Value):
    """The weights of one ranking. A score is the sum of its parts, so it may exceed 1."""

    name: str
    dense: Weight
    """Weight of the similarity in meaning, scaled to 0..1 over the search's hits."""
    sparse: Weight
    """Weight of the words in common, scaled to 0..1 over the search's hits."""
    words_in_common: Weight = 0.0
    """BM25 score that the best hit needs for the full part. One word in common may be the most that
    any of a few memories has, and is still little."""
    neighbours: tuple[Weight, ...]
    """Weights of the relevance of the adjacent turns, then of the turns after those."""
    speaker: Weight
    """Weight of being said by, or being about, a person whom the question names."""
    length: Weight
    """Weight of stating enough: full at `full_length` Latin characters, questions left out."""
    full_length: Annotated[int, Field(ge=1)]
    time: Weight = 0.0
    """Weight of being said or having happened at a time that the question names."""
    asked: Weight = 1.0
    """Weight of being of the attribute that the question asks for, above anything merely similar."""


DIALOGUE = RankingPolicy(
    name="dialogue",
    dense=0.4,
    sparse=0.5,
    words_in_common=10.0,
    neighbours=(0.4, 0.1),
    speaker=0.4,
    length=0.3,
    full_length=60,
    time=0.3,
)
"""Measured on conversations between two people over months, with one vector for each turn: the
development conversations of LoCoMo, 760 questions of categories 1 to 4, the local default as the
embedder. The share of the evidence among the first five was .70, among the first ten .78 (.60 in
reciprocal rank). With weights chosen on four of the five conversations and measured on the fifth it was
.70, .78 and .61. The first guess, .5, .5, (.3,), .2 and .1, had .74 among ten. Dense alone has .33
there, words alone .59. Recency has no weight, because it made answers worse.

Entities that the question names have no weight either. Memories that name them, and those of linked
entities at half strength, each the less the more memories name it, were moved up by .02, .05 and .1. The
evidence among ten stayed at .771, that of questions on several messages at .514, and answers came later
(.603 in reciprocal rank without, .602, .601 and .601 with). On the open Chinese set .775 of the evidence
stood among ten each time, and .580, .575 and .585 among five. Nearly every question names a person of
whom much is said.

Words in common were formerly scaled over the hits alone. Of 25 memories told in the third person
(tests/golden/relevance) the first three were then relevant in 66 % of English and 70 % of Chinese
questions, by both arms alone. With `words_in_common` of 10 it was 74 and 76 % (for statements on LoCoMo's
speakers 52 and 54 %; for their messages the evidence among ten was .757 both times). With 6 it was 69 and
72 %, with 15 76 and 77 %, but .743 among the messages.

Questions state nothing. That rule, and the weight of a missing statement, were chosen on five of the ten
people of the open Chinese set (tests/golden/recall_zh) beside those five conversations. They moved the
evidence among the first ten from .68 to .77 there, and from .72 to .79 on the other five people."""
