"""As much as fits into a budget, the best first."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.context_format import FormatName
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.dated_words import DatedText
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.context.material import (
    ContextItem,
    ContextMaterial,
    EarlierConversation,
)
from palimpsest_server.domain.context.token_budget import count_context_tokens, fit_to_token_budget

DEFAULT, PROFILE = FORMATS[FormatName.DEFAULT].write, FORMATS[FormatName.PROFILE].write


def words(text: str) -> int:
    return len(text.split())


def sentences(word: str, size: int) -> str:
    """So many words, five to a sentence."""
    five = [word.upper(), word, word, word, f"{word}."]
    return " ".join((five * size)[:size])


def material(
    *sizes: int, profile: int = 0, running: int = 0, conversations: tuple[int, ...] = ()
) -> ContextMaterial:
    return ContextMaterial(
        Language.ENGLISH,
        profile=sentences("p", profile),
        running_summary=sentences("r", running),
        conversations=tuple(
            EarlierConversation(date(2026, 1, 1), DatedText(" ".join(["t"] * size)))
            for size in conversations
        ),
        items=tuple(
            ContextItem(number, DatedText(" ".join(["w"] * size)), kind=Kind.FACT)
            for number, size in enumerate(sizes, start=1)
        ),
    )


def test_what_does_not_fit_is_left_out_and_shorter_ones_follow() -> None:
    kept = fit_to_token_budget(
        material(10, 100, 5), FORMATS[FormatName.GATED].write, budget=40, count=words
    )
    assert [item.number for item in kept.items] == [1, 3]


def test_what_does_not_fit_contradicts_nothing() -> None:
    asked = material(10, 100)
    one, other = asked.items
    asked = asked._replace(items=(one._replace(conflicts=(2,)), other._replace(conflicts=(1,))))
    kept = fit_to_token_budget(asked, FORMATS[FormatName.GATED].write, budget=40, count=words)
    assert [(item.number, item.conflicts) for item in kept.items] == [(1, ())]


@pytest.mark.parametrize("write", [DEFAULT, PROFILE])
def test_whatever_fits_altogether_stands(write: object) -> None:
    full = material(5, profile=60, conversations=(5, 5))
    assert fit_to_token_budget(full, write, budget=100, count=words) == full  # type: ignore[arg-type]


def test_a_profile_is_cut_at_a_sentence_to_its_share() -> None:
    full = material(profile=200, conversations=(20, 20, 20, 20))
    kept = fit_to_token_budget(full, PROFILE, budget=100, count=words)
    assert 10 <= words(kept.profile) <= 30
    assert kept.profile.endswith("p.")
    assert kept.conversations


def test_a_profile_gives_up_no_more_than_what_is_over() -> None:
    kept = fit_to_token_budget(
        material(profile=100, conversations=(5,)), PROFILE, budget=100, count=words
    )
    assert 75 <= words(kept.profile) <= 90
    assert kept.conversations


def test_beside_what_was_asked_for_the_profile_takes_little() -> None:
    kept = fit_to_token_budget(material(*[20] * 10, profile=60), DEFAULT, budget=150, count=words)
    assert words(kept.profile) == 5
    assert len(kept.items) >= 5


@pytest.mark.parametrize("name", [FormatName.PROFILE, FormatName.LAYERED])
@pytest.mark.parametrize("budget", [1, 3, 5, 8, 13, 21, 34, 55])
def test_nobody_who_is_known_is_called_a_stranger_however_small_the_budget(
    name: FormatName, budget: int
) -> None:
    write = FORMATS[name].write
    nothing = write(ContextMaterial(Language.ENGLISH)).block
    known = [material(70)]
    if name is FormatName.PROFILE:
        known += [material(profile=70), material(conversations=(70,))]
    for full in known:
        block = write(fit_to_token_budget(full, write, budget=budget, count=words)).block
        assert nothing not in block
        assert words(block) <= budget


def test_who_is_unknown_is_called_so_whatever_the_budget() -> None:
    kept = fit_to_token_budget(ContextMaterial(Language.ENGLISH), PROFILE, budget=1, count=words)
    assert PROFILE(kept).block == PROFILE(ContextMaterial(Language.ENGLISH)).block != ""


def test_a_running_summary_counts_and_is_cut_at_a_sentence() -> None:
    full = material(*[20] * 10, running=60)
    kept = fit_to_token_budget(full, DEFAULT, budget=100, count=words)
    assert 10 <= words(kept.running_summary) <= 20
    assert kept.running_summary.endswith("r.")
    alone = fit_to_token_budget(material(running=60), DEFAULT, budget=62, count=words)
    assert words(alone.running_summary) == 60
    assert count_context_tokens(alone, DEFAULT, words) == 62


def test_conversations_are_taken_from_the_latest_to_the_first_that_does_not_fit() -> None:
    kept = fit_to_token_budget(material(conversations=(5, 200, 5)), PROFILE, budget=60, count=words)
    assert len(kept.conversations) == 1


@given(
    st.sampled_from(list(FormatName)),
    st.lists(st.integers(1, 60), max_size=12),
    st.integers(0, 60),
    st.integers(0, 60),
    st.lists(st.integers(1, 60), max_size=6),
    st.integers(20, 200),
)
def test_no_prompt_goes_over_its_budget_unless_it_says_that_nothing_is_known(
    name: FormatName,
    sizes: list[int],
    profile: int,
    running: int,
    conversations: list[int],
    budget: int,
) -> None:
    form = FORMATS[name]
    full = material(
        *sizes,
        profile=profile,
        running=running if form.running_summary else 0,
        conversations=tuple(conversations),
    )
    kept = fit_to_token_budget(full, form.write, budget=budget, count=words)
    known = full.profile or full.running_summary or full.conversations or full.items
    assert count_context_tokens(kept, form.write, words) <= budget or not known
    if count_context_tokens(full, form.write, words) <= budget:
        assert kept == full
