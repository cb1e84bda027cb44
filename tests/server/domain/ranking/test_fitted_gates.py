"""What opens the gate of each model that it was fitted on: whole, and never turned around."""

import json

import pytest

from palimpsest_server.domain.ranking.fitted_gates import DIRECTORY, load_fitted_gate
from palimpsest_server.domain.ranking.gate_weights import FittedGate
from palimpsest_server.domain.ranking.plausibility import (
    MAXIMUM_PLAUSIBILITY,
    MINIMUM_PLAUSIBILITY,
    NO_PLAUSIBILITY_PLANE,
    PlausibilityPlane,
)
from palimpsest_server.embedders.local_models import get_model_identity

FITTED = sorted(path.stem for path in DIRECTORY.glob("*.json"))


def fitted(model: str) -> FittedGate:
    openings = load_fitted_gate(model)
    assert openings is not None
    return openings


def test_the_default_model_is_fitted_and_a_model_that_nobody_tried_is_not() -> None:
    assert "usem3" in FITTED
    assert load_fitted_gate("text-embedding-3-small") is None
    assert load_fitted_gate("../usem3") is None


@pytest.mark.parametrize("model", FITTED)
def test_nearness_words_and_sense_never_speak_against_an_answer(model: str) -> None:
    english, chinese = fitted(model).english, fitted(model).chinese
    weights = (
        english.nearest,
        english.coverage,
        english.lexical_gap,
        english.agreement,
        english.says,
        chinese.nearest,
        chinese.agreement,
        chinese.seen,
        chinese.says,
    )
    assert min(weights) >= 0.0
    # Among many texts some come near to anything; and a memory says it in few words.
    assert max(english.finds, chinese.finds) < 0 < english.memory


@pytest.mark.parametrize("model", FITTED)
def test_the_sense_is_of_this_models_dimension_and_counts_in_both_languages(model: str) -> None:
    dimension = get_model_identity(model).dimension
    assert len(fitted(model).sense.direction) == dimension
    assert fitted(model).english.says > 0
    assert fitted(model).chinese.says > 0


@pytest.mark.parametrize("model", FITTED)
def test_a_file_holds_what_is_read_from_it_and_nothing_besides(model: str) -> None:
    written = json.loads((DIRECTORY / f"{model}.json").read_text(encoding="utf-8"))
    assert set(written) - {"across"} == {"sense", "english", "chinese"}
    assert FittedGate.model_validate(written) == fitted(model)


@pytest.mark.parametrize("model", FITTED)
def test_another_script_opens_the_gate_from_farther_than_words_would_and_never_to_nonsense(
    model: str,
) -> None:
    across = fitted(model).across
    assert across is not None
    assert across.opens_from_deviations < fitted(model).english.opens_from_deviations
    # What people ask has a sense of 1.7 on average, nonsense one of -1.7.
    assert across.says_from >= 0.7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ((0.0, 0.0), 0.5),
        ((0.25, 0.0), 1.0),
        ((9.0, 0.0), MAXIMUM_PLAUSIBILITY),
        ((0.0, 9.0), MINIMUM_PLAUSIBILITY),
    ],
)
def test_sense_is_a_plane_between_bounds(text: tuple[float, ...], says: float) -> None:
    assert PlausibilityPlane(constant=0.5, direction=(2.0, -1.0)).of(text) == says


def test_without_a_plane_nothing_is_said() -> None:
    assert NO_PLAUSIBILITY_PLANE.of((0.3, 0.4, 0.5)) == 0.0
