"""Which weights rank here."""

from pathlib import Path

import pytest

from palimpsest.domain.errors import PermanentError
from palimpsest.domain.ranking.policy import DIALOGUE
from palimpsest.runtime.ranking import adopt, policy_file, ranking_policy
from palimpsest.runtime.settings import Settings

OTHER = DIALOGUE.model_copy(update={"name": "tuned", "dense": 0.7})


def test_ours_rank_until_others_are_adopted(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path / "data")
    assert ranking_policy(settings) == DIALOGUE
    assert adopt(OTHER, settings) == policy_file(settings)
    assert ranking_policy(settings) == OTHER
    assert [one.name for one in (tmp_path / "data").iterdir()] == ["ranking-policy.json"]


def test_a_file_that_is_named_must_be_there_and_hold_one(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    settings = Settings(ranking_policy_file=file, data_directory=tmp_path)
    for content in (None, "{}", "no JSON"):
        if content is not None:
            file.write_text(content)
        with pytest.raises(PermanentError, match=r"weights\.json"):
            ranking_policy(settings)
    adopt(OTHER, settings)
    assert ranking_policy(settings) == OTHER
