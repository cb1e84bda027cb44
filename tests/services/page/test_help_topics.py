"""The help explains every kind, status, score and setting that a view may show."""

import pytest

from palimpsest.api.recall import ScoreParts
from palimpsest.model.entity import EntityKind
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.user import Language
from palimpsest_server.models.language_model import ModelTask
from services.page.help_topics import SCORES, explain_kind, list_connections
from services.page.kind_words import KindWords
from services.page.translations import load_words


@pytest.mark.parametrize("language", Language)
def test_every_kind_and_status_is_named_and_explained(language: Language) -> None:
    words = load_words(language)
    kinds = KindWords(language, words.__getitem__)
    assert kinds.all_kinds == tuple(Kind)
    assert all(kinds.name(kind) and explain_kind(kind, language) for kind in Kind)
    shown = [status for status in Status if status is not Status.PURGED]
    assert [*kinds.all_statuses] == shown
    assert all(kinds.status(status) and words[f"help.status_{status}"] for status in shown)


@pytest.mark.parametrize("language", Language)
def test_every_score_and_way_to_connect_is_explained(language: Language) -> None:
    words = load_words(language)
    assert set(ScoreParts.model_fields) <= set(SCORES)
    named = {f"help.score_{score}" for score in SCORES}
    named |= {f"help.connect_{name}" for name, _ in list_connections("http://a")}
    assert {*named, *(f"{key}_hint" for key in named)} - set(words) == set()


@pytest.mark.parametrize("language", Language)
def test_kinds_of_entities_and_tasks_of_models_are_named(language: Language) -> None:
    named = {f"graph.entity_{kind.value}" for kind in EntityKind}
    named |= {f"ledger.task_{task.value}" for task in ModelTask}
    assert named - set(load_words(language)) == set()


def test_programs_are_shown_the_address_of_this_palimpsest() -> None:
    written = "".join(text for _, text in list_connections("http://10.0.0.7:8461"))
    assert written.count("http://10.0.0.7:8461") == 4
    assert "8000" not in written
