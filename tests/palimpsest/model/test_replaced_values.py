"""Another value is read where all words around it are the same, and nowhere else."""

import pytest

from palimpsest.model.replaced_values import find_replaced_value

ROME = "The user lives in Rome."


@pytest.mark.parametrize(
    ("before", "value", "after", "replaced"),
    [
        (ROME, "Rome", "The user lives in New York", "New York"),
        (ROME, "rome", "The user lives in Oslo!", "Oslo"),
        ("用户在字节跳动上班。", "字节跳动", "用户在腾讯上班", "腾讯"),
        ("Rome trains, Rome rains", "Rome", "Rome trains, Oslo rains", "Oslo"),
        (ROME, "Rome", "The user lives in Paris, near the river", None),
        (ROME, "Rome", "The user lives in Paris since the spring", None),
        (ROME, "Rome", "The user lives in", None),
        (ROME, "Rome", "The user moved to Paris", None),
        (ROME, "Milan", "The user lives in Paris", None),
        (ROME, "(Rome", "The user lives in Paris", None),
        ("用户住在罗马", "罗马", "用户住在巴黎,而不是罗马", None),
    ],
)
def test_a_replaced_value_is_read(
    before: str, value: str, after: str, replaced: str | None
) -> None:
    assert find_replaced_value(before, value, after) == replaced
