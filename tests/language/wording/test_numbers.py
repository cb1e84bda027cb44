"""Numbers as people write them, and their values."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.wording.numbers import find_numbers, parse_chinese_numeral

_DIGITS = "零一二三四五六七八九"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("35000", "35000"),
        ("1,250", "1250"),
        ("3.5", "3.5"),
        ("twenty-one", "21"),
        ("two hundred and five", "205"),
        ("half a dozen", "6"),
        ("a couple", "2"),
        ("fourth", "4"),
        ("两万三", "23000"),
        ("三百五", "350"),
        ("一百零五", "105"),
        ("二〇二四", "2024"),
        ("十二", "12"),
        ("一亿两千万", "120000000"),
    ],
)
def test_a_number_has_its_value(text: str, value: str) -> None:
    assert [number.value for number in find_numbers(text)] == [Decimal(value)]


@pytest.mark.parametrize(("text", "value"), [("2.5k", "2500"), ("2万3", "23000"), ("3千", "3000")])
def test_a_number_with_a_scale_has_the_scaled_value_too(text: str, value: str) -> None:
    assert Decimal(value) in {number.value for number in find_numbers(text)}


@given(st.integers(min_value=1, max_value=9999))
def test_a_chinese_numeral_written_out_has_its_value(number: int) -> None:
    units = ("千", "百", "十", "")
    digits = f"{number:04}"
    written, zero = "", False
    for digit, unit in zip(digits, units, strict=True):
        if digit == "0":
            zero = bool(written)
            continue
        written += ("零" if zero else "") + _DIGITS[int(digit)] + unit
        zero = False
    assert parse_chinese_numeral(written) == number


@given(st.integers(min_value=0, max_value=10**9))
def test_digits_are_one_number_with_their_commas_or_without(number: int) -> None:
    for written in (str(number), f"{number:,}"):
        assert next(find_numbers(f"it is {written} now")).value == number
