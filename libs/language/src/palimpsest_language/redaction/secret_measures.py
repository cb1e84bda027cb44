"""Tells how much of a candidate text is a secret."""

import re

from palimpsest_language.redaction.secret_rules import is_random_looking

_NO_SECRETS = frozenset(
    [
        "a",
        "also",
        "always",
        "an",
        "any",
        "at",
        "being",
        "boolean",
        "by",
        "bytes",
        "case-sensitive",
        "changed",
        "char",
        "compromised",
        "confidential",
        "correct",
        "different",
        "empty",
        "encrypted",
        "example",
        "expired",
        "false",
        "fine",
        "for",
        "forgotten",
        "from",
        "gone",
        "hashed",
        "here",
        "hidden",
        "important",
        "in",
        "incorrect",
        "input",
        "int",
        "integer",
        "invalid",
        "it",
        "key",
        "known",
        "later",
        "leaked",
        "lost",
        "mandatory",
        "must",
        "should",
        "cannot",
        "missing",
        "n/a",
        "necessary",
        "needed",
        "never",
        "nil",
        "no",
        "none",
        "not",
        "now",
        "null",
        "number",
        "object",
        "ok",
        "okay",
        "on",
        "only",
        "optional",
        "passwd",
        "password",
        "private",
        "public",
        "pwd",
        "redacted",
        "required",
        "reset",
        "safe",
        "secret",
        "secretstr",
        "secure",
        "set",
        "still",
        "stored",
        "str",
        "str?",
        "string",
        "string?",
        "strong",
        "text",
        "that",
        "the",
        "something",
        "another",
        "mine",
        "yours",
        "there",
        "this",
        "to",
        "token",
        "too",
        "true",
        "type",
        "undefined",
        "unknown",
        "unset",
        "value",
        "varchar",
        "very",
        "weak",
        "what",
        "with",
        "wrong",
        "yes",
    ]
)
"""Words that follow "password" without being one, in sentences and in code."""

_PLACEHOLDER = re.compile(r"[<\[]\w|\$[\w{(]|\{|%[({]|\(|[*•.xX…]{2,}$|[*•]{2,}")
_CODE = re.compile(r"[A-Za-z_][\w.]*[(\[]|[a-z_]+(?:\.[a-z_]+)+$")
_NEXT_FIELD = re.compile(r"[&;,]\s?\w+[=:]|\\[nr\"]")
_PORT = re.compile(r"\d{1,5}/")
_TRAILING = ".,;:!?)]}>"
"""Trailing marks. Marks such as "!" mostly belong to a password with digits."""
_A_MEASURE_FOLLOWS = re.compile(
    r"\s{0,2}(?:[位个個字种天次]|characters|chars|digits|letters|words)"
)
_WHEN_IT_WAS_SET = re.compile(
    r"年[^，。,!！?？\s]{0,6}?(?:[设改换建定开]|注册|申请|弄|重置|更新|过期|失效|泄露)"
    r"(?:[置定]|的|了|过)"
)
"""密码是2024年设的: words behind a year."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_SHORTEST_PASSWORD = 3
_SHORTEST_SECRET = 8
_SHORTEST_BESIDE = 6
_DIGIT = re.compile(r"[0-9]")
_DATE_OR_CALL = re.compile(r"[0-9]+(?:[-/.:][0-9]+)+")
_WORDS = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)+")
_NAME_AND_NUMBER = re.compile(r"[a-z]+[0-9]{1,4}[a-z]{0,3}", re.IGNORECASE)
_LONG_KEY = re.compile(
    r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/=_-]{20,}|[0-9a-f]{32,}"
)
_ABOUT_PASSWORDS = re.compile(
    r"口令|密码|多少|什么|怎么|忘|错|对|请|需|必须|至少|不|没|无|空|红包|任务|如|待|同|略|保密"
)
_SPEAKS_OF_PASSWORDS = re.compile(
    (
        r"\b(?:from|in|of|since|until|till|at|on|about|for|least|than|only|version|year)\b|年前?$"
        r"|版本|后面?$|前面?$"
    ),
    re.IGNORECASE,
)


def measure_assigned_value(candidate: str, following: str) -> int:
    """Measure a value after a colon or an equals sign: a secret unless plainly something else."""
    cut = _NEXT_FIELD.search(candidate)
    value = (candidate[: cut.start()] if cut else candidate).rstrip(_TRAILING)
    if candidate.startswith(f"{value}!") and _DIGIT.search(value):
        value += "!"
    plain = (
        len(value) < _SHORTEST_PASSWORD
        or value.lower() in _NO_SECRETS
        or value.startswith(("/", "~/", "./"))
        or _PLACEHOLDER.match(value) is not None
        or _CODE.match(value) is not None
        or (not cut and _A_MEASURE_FOLLOWS.match(following) is not None)
        or (_YEAR.fullmatch(value) and _WHEN_IT_WAS_SET.match(following) is not None)
    )
    return 0 if plain else len(value)


def measure_value_in_sentence(candidate: str, following: str) -> int:
    """Measure a value in a sentence: a secret if it is no common word, or alone at the end."""
    length = measure_assigned_value(candidate, following)
    if length == 0 or not candidate[:length].isalpha():
        return length
    ends_here = length < len(candidate) or not following.strip() or following[0] in "\"'`”’」\n，。"
    return length if ends_here else 0


def measure_adjacent_value(candidate: str, following: str) -> int:
    """Measure a value right after the word: a secret if it looks like no word."""
    length = measure_assigned_value(candidate, following)
    value = candidate[:length]
    made_up = length >= _SHORTEST_BESIDE and _DIGIT.search(value) is not None
    return length if made_up and _DATE_OR_CALL.fullmatch(value) is None else 0


def measure_mixed_value(candidate: str, following: str) -> int:
    """Measure a value after `pass`, also an ordinary word: secret with letters and digits."""
    length = measure_assigned_value(candidate, following)
    return length if length >= _SHORTEST_BESIDE and is_random_looking(candidate[:length]) else 0


def measure_nonword_value(candidate: str, following: str) -> int:
    """Measure a value that a sentence announces: a secret if it is written like no word."""
    length = measure_assigned_value(candidate, following)
    value = candidate[:length]
    plain = value.isalpha() or _DATE_OR_CALL.fullmatch(value) is not None
    return 0 if plain or _WORDS.fullmatch(value) is not None else length


def measure_adjacent_mixed_value(candidate: str, following: str) -> int:
    """Measure like `measure_mixed_value`, except names such as sha256 and oauth2."""
    length = measure_mixed_value(candidate, following)
    return 0 if _NAME_AND_NUMBER.fullmatch(candidate[:length]) else length


def measure_long_key(candidate: str, following: str) -> int:
    """Measure a value right after "secret" or "token": a secret if it is as long as a key."""
    length = measure_assigned_value(candidate, following)
    return length if _LONG_KEY.fullmatch(candidate[:length]) else 0


def measure_chinese_passphrase(candidate: str, _following: str) -> int:
    """Measure Chinese words that are the password itself, and say nothing about one."""
    return 0 if _ABOUT_PASSWORDS.search(candidate) else len(candidate)


def measure_described_password(candidate: str, _following: str) -> int:
    """Measure words followed by digits, such as a birthday, that are the password itself."""
    if _ABOUT_PASSWORDS.search(candidate) or _SPEAKS_OF_PASSWORDS.search(candidate):
        return 0
    return len(candidate)


def measure_generated_key(candidate: str, following: str) -> int:
    """Measure a value called a key or token: a secret if it is long and looks generated."""
    if not is_random_looking(candidate):
        return 0
    length = measure_assigned_value(candidate, following)
    return length if length >= _SHORTEST_SECRET and is_random_looking(candidate[:length]) else 0


def measure_url_password(candidate: str, _following: str) -> int:
    """Measure the password of scheme://user:password@host; a port or a path is none."""
    return 0 if _PORT.match(candidate) else len(candidate)
