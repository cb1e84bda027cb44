"""English typed in a hurry is read with its apostrophes and quoted without."""

import pytest

from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    ("said", "content", "quote"),
    [
        ("im coeliac", "The user is coeliac", "im coeliac"),
        ("morning. weve got two kids", "The user has got two kids", "weve got two kids"),
        ("I’m tall. my wifes a vet", "The user's wife's a vet", "my wifes a vet"),
    ],
)
async def test_what_is_typed_without_apostrophes_is_quoted_as_it_was_typed(
    said: str, content: str, quote: str
) -> None:
    told = {proposal.content: proposal for proposal in await proposed(said)}
    assert [cited.quote for cited in told[content].evidence] == [quote]
