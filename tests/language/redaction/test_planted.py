"""How many of many kinds of secrets stay, and how often a sentence without any loses something.

Values are invented for each run from a seed, so that no form can be learnt by heart and no scanner
of secrets stumbles over this repository.
"""

import pytest

from tests.support.language.redaction.planted import read_sentences

SEEDS = [11, 12, 13]
MOST_LEFT = 0.05
MOST_FALSE_ALARMS = 0.02


@pytest.mark.parametrize("seed", SEEDS)
def test_hardly_a_planted_secret_stays(seed: int) -> None:
    planted = read_sentences("secrets", seed)
    left = [sentence.text for sentence in planted if sentence.count_left()]
    assert len(left) <= MOST_LEFT * len(planted), left


@pytest.mark.parametrize("seed", SEEDS)
def test_sentences_without_secrets_stay_as_they_are(seed: int) -> None:
    innocent = read_sentences("innocent", seed)
    changed = [sentence.text for sentence in innocent if sentence.loses_anything()]
    assert len(changed) <= MOST_FALSE_ALARMS * len(innocent), changed


def test_the_sentences_are_as_many_as_promised() -> None:
    planted, innocent = read_sentences("secrets", 1), read_sentences("innocent", 1)
    assert len(planted) >= 200
    assert sum(sentence.labels[0] == "unlisted" for sentence in planted) >= 60
    assert len(innocent) >= 150
    for sentences in (planted, innocent):
        chinese = sum(sentence.labels[-1] == "zh" for sentence in sentences)
        assert chinese >= 0.3 * len(sentences)
        assert len({sentence.text for sentence in sentences}) == len(sentences)
