"""Secrets that are known by what is said about them: "password: x", "密码是 x", "api_key=x"."""

import re

from palimpsest.domain.privacy.rules import MAXIMUM_JUDGED_CHARACTERS, Measure, Rule, looks_random

_QUOTE = r"\\?[\"'`“‘「『]"
_UNQUOTED = r"[^\s\"'`“”‘’「」『』，。；、！？\u3400-\u9fff]"
_LENGTH = f"{{1,{MAXIMUM_JUDGED_CHARACTERS}}}+"
_VALUE = rf"(?:{_QUOTE}(?P<quoted>[^\"'`”’」』\n\\]{_LENGTH})|(?P<secret>{_UNQUOTED}{_LENGTH}))"

_ENGLISH_KEY = r"(?i:password|passwd|passphrase|pass[ _-]phrase|passcode|pwd)"
_CREDENTIAL = (
    r"(?i:api[ _-]?keys?|(?:secret|access|auth|refresh|session|private|client|account|app)"
    r"[ _-]?(?:access[ _-]?)?(?:key|token|secret)|token|secret|credentials?|密钥|秘钥|令牌|凭证)"
)
_CHINESE_KEY = r"(?:密码|口令|密碼)(?![学學本子])"
_CLOSING = r"\\?[\"'`”’）)\]]{0,2}"
_ASSIGNED = rf"{_CLOSING}\s{{0,4}}(?::=|=>|->|[:=：＝])\s{{0,4}}"
_IS_THEN = r"\s(?:is|was)\s?[:=：＝]\s{0,4}"
_OF_SOMETHING = r"\s(?:for|to|of|on)\s[^\n.,;:!?=]{1,40}+[:=：＝]\s{0,4}"
_SAID = (
    r"(?:\s(?:for|to|of|on)\s[^\n.,;:!?]{1,40}?)?\s{1,4}"
    r"(?i:(?:is\s|was\s)?(?:now\s)?(?:set|changed|reset)\sto|will\sbe|is|was)(?:\snow)?\s{1,4}"
)
_SAID_IN_CHINESE = (
    rf"{_CLOSING}\s{{0,2}}(?:我|你|您|已经|已|就|现在|暂时|先|统一|都|帮|给|被|重置|重设|修改|更改|更新|设置"
    r"|设定|默认|设|改|换|变){0,5}(?:成了?|为了?|是|:|：|=|＝)\s{0,3}[:：]?\s{0,3}"
)

_NO_SECRETS = frozenset(
    {
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
    }
)
"""What is said of passwords without giving one away, and what stands there in code."""

_PLACEHOLDER = re.compile(r"[<\[]\w|\$[\w{(]|\{|%[({]|\(|[*•.xX…]{2,}$|[*•]{2,}")
_CODE = re.compile(r"[A-Za-z_][\w.]*[(\[]|[a-z_]+(?:\.[a-z_]+)+$")
_NEXT_FIELD = re.compile(r"[&;,]\s?\w+[=:]|\\[nr\"]")
_PORT = re.compile(r"\d{1,5}/")
_TRAILING = ".,;:!?)]}>"
_A_MEASURE_FOLLOWS = re.compile(
    r"\s{0,2}(?:[位个個字种天次]|characters|chars|digits|letters|words)"
)
_SHORTEST_PASSWORD = 3
_SHORTEST_SECRET = 8
_SHORTEST_BESIDE = 6
_DIGIT = re.compile(r"[0-9]")
_DATE_OR_CALL = re.compile(r"[0-9]+(?:[-/.:][0-9]+)+")


def _stated(candidate: str, following: str) -> int:
    """A value after a colon or an equals sign: a secret unless it is plainly something else."""
    cut = _NEXT_FIELD.search(candidate)
    value = (candidate[: cut.start()] if cut else candidate).rstrip(_TRAILING)
    plain = (
        len(value) < _SHORTEST_PASSWORD
        or value.lower() in _NO_SECRETS
        or value.startswith(("/", "~/", "./"))
        or _PLACEHOLDER.match(value) is not None
        or _CODE.match(value) is not None
        or (not cut and _A_MEASURE_FOLLOWS.match(following) is not None)
    )
    return 0 if plain else len(value)


def _told(candidate: str, following: str) -> int:
    """A value in a sentence: a secret if it is no common word, or stands alone at the end."""
    length = _stated(candidate, following)
    if length == 0 or not candidate[:length].isalpha():
        return length
    ends_here = length < len(candidate) or not following.strip() or following[0] in "\"'`”’」\n，。"
    return length if ends_here else 0


def _beside(candidate: str, following: str) -> int:
    """A value right after the word, with nothing between: a secret if no word looks like that."""
    length = _stated(candidate, following)
    value = candidate[:length]
    made_up = length >= _SHORTEST_BESIDE and _DIGIT.search(value) is not None
    return length if made_up and _DATE_OR_CALL.fullmatch(value) is None else 0


def _mixed(candidate: str, following: str) -> int:
    """A value after `pass`, which is a word of its own too: letters and digits both, or nothing."""
    length = _stated(candidate, following)
    return length if length >= _SHORTEST_BESIDE and looks_random(candidate[:length]) else 0


def _generated(candidate: str, following: str) -> int:
    """A value called a key or token: a secret if it is long and looks made by a machine."""
    if not looks_random(candidate):
        return 0
    length = _stated(candidate, following)
    return length if length >= _SHORTEST_SECRET and looks_random(candidate[:length]) else 0


def _in_an_address(candidate: str, _following: str) -> int:
    """The password of scheme://user:password@host; a port and a path are none."""
    return 0 if _PORT.match(candidate) else len(candidate)


def _rule(kind: str, hints: tuple[str, ...], before: str, measure: Measure) -> Rule:
    return Rule(
        kind=kind,
        hints=hints,
        pattern=re.compile(before + _VALUE),
        measure=measure,
    )


_ENGLISH = ("pass", "pwd")
_CHINESE = ("密码", "口令", "密碼")
_KEYS = ("key", "token", "secret", "credential", "密钥", "秘钥", "令牌", "凭证")

PASSWORD_RULES = (
    Rule(
        kind="password",
        hints=("://",),
        # scheme://user:password@host; the user may be empty.
        pattern=re.compile(r"://[^\s:/@]{0,128}+:(?P<secret>[^\s@]{1,256}+)(?=@)"),
        measure=_in_an_address,
    ),
    _rule("password", _ENGLISH, _ENGLISH_KEY + _ASSIGNED, _stated),
    _rule("password", _ENGLISH, _ENGLISH_KEY + _IS_THEN, _stated),
    _rule("password", _ENGLISH, _ENGLISH_KEY + _OF_SOMETHING, _told),
    _rule("password", _ENGLISH, _ENGLISH_KEY + _SAID, _told),
    _rule("password", ("pass",), r"(?<![A-Za-z0-9])(?i:pass)" + _ASSIGNED, _mixed),
    Rule(
        kind="password",
        hints=("curl",),
        pattern=re.compile(
            r"(?<![a-z])curl\b[^\n]{0,128}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}+:(?P<secret>[^\s\"']{1,128}+)"
        ),
        measure=_stated,
    ),
    _rule("password", _CHINESE, _CHINESE_KEY + _SAID_IN_CHINESE, _stated),
    _rule("password", _CHINESE, _CHINESE_KEY + r"\s{0,2}+(?![:=：＝])", _beside),
    _rule("password", _ENGLISH, _ENGLISH_KEY + _SAID_IN_CHINESE, _stated),
    _rule("secret", _KEYS, _CREDENTIAL + _ASSIGNED, _generated),
    _rule("secret", _KEYS, _CREDENTIAL + _SAID, _generated),
    _rule("secret", _KEYS, _CREDENTIAL + _SAID_IN_CHINESE, _generated),
)
