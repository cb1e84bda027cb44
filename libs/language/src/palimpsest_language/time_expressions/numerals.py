"""Numbers as they are written in expressions of time."""

_CHINESE = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9, "日": 7, "天": 7,
}  # fmt: skip

_ENGLISH = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
    "thirty": 30, "a couple of": 2, "couple of": 2, "first": 1, "second": 2, "third": 3,
    "fourth": 4,
}  # fmt: skip


_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second", "twenty-third",
    "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth",
    "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
ORDINAL = "(?:" + "|".join(each.replace("-", "[- ]") for each in reversed(_ORDINALS)) + ")"


def parse_ordinal(written: str) -> int:
    """Return the number of a day in words, 1 to 31."""
    return 1 + _ORDINALS.index(written.lower().replace(" ", "-"))


def parse_chinese_number(written: str) -> int:
    """Parse a number up to 99, or the digits of a year; days of the week from 1, Sunday is 7.

    Raises:
        KeyError: it is not a number.
    """
    if written.isdigit() and written.isascii():
        return int(written)
    tens, ten, ones = written.partition("十")
    if ten:
        return (_CHINESE[tens] if tens else 1) * 10 + (_CHINESE[ones] if ones else 0)
    value = 0
    for digit in written:
        value = value * 10 + (_CHINESE[digit] if not digit.isdigit() else int(digit))
    return value


def parse_english_number(written: str) -> int:
    """Parse digits, with or without an ordinal ending, or a word.

    Raises:
        KeyError: it is not a number.
    """
    digits = written.rstrip("stndrhSTNDRH")
    return int(digits) if digits.isdigit() else _ENGLISH[" ".join(written.lower().split())]
