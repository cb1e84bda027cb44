"""How many secrets are found, and how often something is taken for one, on cases in two languages.

The rules were written with one set in view, and run against the other once they stood.
"""

import pytest

from tests.support.language.redaction.cases import cases, figures

MINIMUM_RECALL = 0.95
MAXIMUM_FALSE_ALARMS = 0.03
MAXIMUM_OVERREACH = 0.05
"""Of the cases with secrets: those of which something beside the secret went too."""


@pytest.mark.parametrize("name", ["seen", "held_out"])
def test_secrets_go_and_look_alikes_stay(name: str) -> None:
    tried = cases(name)
    measured = figures(tried)
    assert measured.recall >= MINIMUM_RECALL, measured.missed
    assert measured.false_alarm_rate <= MAXIMUM_FALSE_ALARMS, measured.false_alarms
    with_secrets = sum(not case.innocent for case in tried)
    assert len(measured.overreaching) <= MAXIMUM_OVERREACH * with_secrets, measured.overreaching


def test_the_cases_are_as_many_as_promised_and_half_of_them_chinese() -> None:
    seen, held_out = cases("seen"), cases("held_out")
    together = [*seen, *held_out]
    assert len(together) >= 150
    assert sum(case.innocent for case in together) >= 60
    assert 0.4 <= sum(case.language == "zh" for case in together) / len(together) <= 0.6
    assert len(held_out) >= len(together) / 4
    assert len({case.text for case in together}) == len(together)
