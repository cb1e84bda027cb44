"""Each form of the collection is found in a sentence, and in time that grows with the text alone."""

from random import Random

import pytest

from palimpsest_language.redaction.redactor import redact
from palimpsest_language.redaction.vendor_patterns import VendorPattern, read_vendor_patterns
from tests.support.growth import grows_in_proportion
from tests.support.language.redaction.invented_values import invent_match

PATTERNS = read_vendor_patterns()
SENTENCES = ("on {}: use {} for now, please", "{} 服务器上的 {}，别外传", "{}, it was {}.")
MINIMUM_FOUND = 0.98


def leaves_nothing(pattern: VendorPattern, number: int) -> bool:
    value = invent_match(pattern.pattern, Random(number)).strip()
    sentence = SENTENCES[number % len(SENTENCES)].format(pattern.keywords[0], value)
    secret = value[-12:].strip("'\"` ")
    return secret not in redact(sentence).text


def test_a_value_of_each_form_goes() -> None:
    left = [
        pattern.id for number, pattern in enumerate(PATTERNS) if not leaves_nothing(pattern, number)
    ]
    assert len(left) <= (1 - MINIMUM_FOUND) * len(PATTERNS), left


def test_the_collection_is_whole() -> None:
    assert len(PATTERNS) >= 380
    assert all(pattern.keywords for pattern in PATTERNS)
    assert all(word == word.lower() for pattern in PATTERNS for word in pattern.keywords)


@pytest.mark.parametrize("piece", ["xoxd-", "tk-us-", "github_pat_", "ibm = ", "deepgram token "])
def test_hostile_input_takes_time_in_proportion_to_its_length(piece: str) -> None:
    assert grows_in_proportion(redact, piece, 64 * 1024)


def test_a_key_that_is_longer_than_its_form_leaves_no_remainder() -> None:
    key = invent_match("AIza[A-Za-z0-9_-]{35}", Random(1)) + "a1_B2"
    assert redact(f"密钥{key}，谢谢").text == "密钥[redacted:api_key]，谢谢"


def test_half_an_emoji_is_no_obstacle() -> None:
    key = invent_match("AIza[A-Za-z0-9_-]{35}", Random(2))
    assert redact(f"\ud83d {key}").text == "\ud83d [redacted:api_key]"
