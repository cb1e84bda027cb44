"""As much as fits into a budget, the best first."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.context.fitting import fitted
from palimpsest.domain.context.formats.table import FORMATS, FormatName
from palimpsest.domain.context.marking import marked
from palimpsest.domain.context.material import Item, Material, Talk
from palimpsest.domain.kinds import Kind
from palimpsest.domain.user import Language


def words(text: str) -> int:
    return len(text.split())


def material(*sizes: int, profile: int = 0, talks: tuple[int, ...] = ()) -> Material:
    return Material(
        Language.ENGLISH,
        profile=" ".join(["p"] * profile),
        talks=tuple(Talk(date(2026, 1, 1), " ".join(["t"] * size)) for size in talks),
        items=tuple(
            Item(number, " ".join(["w"] * size), kind=Kind.FACT)
            for number, size in enumerate(sizes, start=1)
        ),
    )


def test_what_does_not_fit_is_left_out_and_shorter_ones_follow() -> None:
    kept = fitted(material(10, 100, 5), FORMATS[FormatName.GATED].write, budget=40, count=words)
    assert [item.number for item in kept.items] == [1, 3]


def test_what_does_not_fit_contradicts_nothing() -> None:
    asked = material(10, 100)
    one, other = asked.items
    asked = asked._replace(items=(one._replace(conflicts=(2,)), other._replace(conflicts=(1,))))
    kept = fitted(asked, FORMATS[FormatName.GATED].write, budget=40, count=words)
    assert [(item.number, item.conflicts) for item in kept.items] == [(1, ())]


def test_the_profile_comes_first_unless_it_would_crowd_out_what_was_asked_for() -> None:
    write = FORMATS[FormatName.DEFAULT].write
    assert fitted(material(5, profile=10), write, budget=100, count=words).profile
    assert not fitted(material(5, profile=50), write, budget=100, count=words).profile
    assert fitted(material(profile=50), write, budget=100, count=words).profile


def test_talks_are_taken_from_the_latest_to_the_first_that_does_not_fit() -> None:
    write = FORMATS[FormatName.PROFILE].write
    kept = fitted(material(talks=(5, 200, 5)), write, budget=60, count=words)
    assert len(kept.talks) == 1


@given(
    st.sampled_from(list(FormatName)),
    st.lists(st.integers(1, 60), max_size=12),
    st.integers(0, 60),
    st.lists(st.integers(1, 60), max_size=6),
    st.integers(20, 200),
)
def test_no_block_goes_over_its_budget_unless_it_says_nothing(
    name: FormatName, sizes: list[int], profile: int, talks: list[int], budget: int
) -> None:
    write = FORMATS[name].write
    full = material(*sizes, profile=profile, talks=tuple(talks))
    kept = fitted(full, write, budget=budget, count=words)
    nothing = kept._replace(profile="", talks=(), items=())
    assert words(marked(write(kept).block)) <= budget or kept == nothing
