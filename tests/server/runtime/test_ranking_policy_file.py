"""Which weights rank here."""

from pathlib import Path

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE
from palimpsest_server.runtime.ranking_policy_file import (
    get_ranking_policy_path,
    load_ranking_policy,
    save_ranking_policy,
)
from palimpsest_server.runtime.settings import Settings

OTHER = DIALOGUE.model_copy(update={"name": "tuned", "dense": 0.7})


def test_ours_rank_until_others_are_adopted(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path / "data")
    assert load_ranking_policy(settings) == DIALOGUE
    assert save_ranking_policy(OTHER, settings) == get_ranking_policy_path(settings)
    assert load_ranking_policy(settings) == OTHER
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["ranking-policy.json"]


def test_a_file_that_is_named_must_be_there_and_hold_one(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    settings = Settings(ranking_policy_file=file, data_directory=tmp_path)
    for content in (None, "{}", "no JSON"):
        if content is not None:
            file.write_text(content)
        with pytest.raises(PermanentError, match=r"weights\.json"):
            load_ranking_policy(settings)
    save_ranking_policy(OTHER, settings)
    assert load_ranking_policy(settings) == OTHER
