import hashlib
from uuid import UUID, uuid5

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.identifiers import derive_id, encode_length_prefixed

PARTS = st.lists(st.none() | st.text(max_size=8), max_size=4)


def test_the_same_things_give_the_same_id() -> None:
    assert derive_id("turn", "ann", "s1", "m1") == derive_id("turn", "ann", "s1", "m1")


def test_an_id_does_not_change_between_versions_of_palimpsest() -> None:
    assert derive_id("turn", "ann", "s1", "m1") == "23b9f54f-19e5-5056-963e-5d73a70ec510"


@given(PARTS)
def test_an_id_is_a_uuid5(parts: list[str | None]) -> None:
    digest = hashlib.sha256(encode_length_prefixed("memory", *parts)).hexdigest()
    root = UUID("6d1f3a52-6c1c-5d5e-9b0e-2f6f0b8b7a11")
    assert derive_id("memory", *parts) == str(uuid5(root, digest))


def test_the_kind_is_part_of_the_id() -> None:
    assert derive_id("turn", "a") != derive_id("event", "a")


def test_none_is_not_the_empty_text() -> None:
    assert derive_id("turn", None) != derive_id("turn", "")


def test_a_boundary_that_moves_is_another_thing() -> None:
    assert derive_id("turn", "a_b", "c") != derive_id("turn", "a", "b_c")
    assert derive_id("turn", "a;1:b") != derive_id("turn", "a", "b")


@given(PARTS, PARTS)
def test_different_lists_never_give_the_same_bytes(
    first: list[str | None], second: list[str | None]
) -> None:
    assert (encode_length_prefixed(*first) == encode_length_prefixed(*second)) == (first == second)
