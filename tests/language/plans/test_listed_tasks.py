"""Tasks that are told in one breath are kept once each."""

import pytest

from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            (
                "ok so i need to order a birthday cake for saturday and pick up my suit from the dry"
                " cleaner tomorrow"
            ),
            [
                "The user needs to order a birthday cake for saturday",
                "The user needs to pick up their suit from the dry cleaner tomorrow",
            ],
        ),
        (
            "alright, I have to renew my passport by Friday and book the ferry for Sunday morning",
            [
                "The user has to renew their passport by Friday",
                "The user has to book the ferry for Sunday morning",
            ],
        ),
    ],
)
async def test_parts_of_a_list_are_not_kept_beside_its_tasks(said: str, told: list[str]) -> None:
    assert [proposal.content for proposal in await proposed(said, "agent: Got it.")] == told
