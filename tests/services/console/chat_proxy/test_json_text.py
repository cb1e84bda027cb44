"""One value of a JSON text is found and replaced; all other bytes stay."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.console.chat_proxy.json_text import find_members, list_parts, strip_span

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.booleans(), st.sampled_from([None, 2]))
def test_every_member_is_found_as_it_stands(
    fields: dict[str, Any], ascii_alone: bool, indent: int | None
) -> None:
    text = json.dumps(fields, ensure_ascii=ascii_alone, indent=indent).encode()
    found = {name: json.loads(text[slice(*span)]) for name, span in find_members(text).items()}
    assert found == fields


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]))
def test_every_item_is_found_as_it_stands(items: list[Any], indent: int | None) -> None:
    text = json.dumps(items, indent=indent).encode()
    spans = [strip_span(text, part) for part in list_parts(text, 0)]
    assert [json.loads(text[slice(*span)]) for span in spans] == items


@pytest.mark.parametrize("text", [b"", b"[]", b"7", b"{", b'{"a', b'{"a": [1, 2}', b'{"a" 1'])
def test_what_is_no_object_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"no object|ends within|not found"):
        find_members(text)
