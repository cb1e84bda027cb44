"""PINs and one-time codes: four to eight digits behind words that name them."""

import re

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_rules import SecretRule

_CODE = r"(?P<secret>[0-9]{4,8})(?![0-9A-Za-z_]|[.:/-][0-9]|\s{0,2}[位个個字种天次年])"
_IS = (
    r"(?:['’]s\s{1,2}|(?:\s(?:for|to|of|on)\s[^\n.,;:!?]{1,40}?)?"
    r"\s(?:is|was|has been)(?:\snow)?(?:\s(?:set|changed|reset)\sto)?\s{1,2}|\s?[:=：＝]\s{0,3})"
)
_IS_IN_CHINESE = r"\s?(?:已|被)?(?:改|设|换)?(?:成了?|为|是|就是)?\s?[:=：＝]?\s{0,2}"
_ONE_TIME = (
    r"(?<![a-z])(?:otp|your code|one[ -]time (?:pass)?(?:code|word)"
    r"|(?:verification|security|authentication|confirmation|login|2fa|sms) code)"
)
_DOOR = r"(?<![a-z])(?:gate|door|alarm|entry|safe|garage|lock|locker|unlock) (?:code|combination)"


def _rule(hints: tuple[str, ...], pattern: str) -> SecretRule:
    return SecretRule(
        kind=SecretKind.PASSWORD, hints=hints, pattern=re.compile(pattern, re.IGNORECASE)
    )


CODE_RULES = (
    _rule(("pin",), rf"(?<![A-Za-z0-9])pin(?:[ -]?(?:code|number|no\.?))?{_IS}{_CODE}"),
    _rule(
        ("pin",),
        (
            rf"(?<![A-Za-z0-9])pin\s?码?{_IS_IN_CHINESE}(?:(?<=[码成了为是:=：＝])|"
            rf"(?<=[码成了为是:=：＝]\s)){_CODE}"
        ),
    ),
    _rule(("pin",), rf"(?<![a-z])(?:atm|bank|(?:debit|credit|sim) card|card|sim) pin\s{_CODE}"),
    # In lower case "pin" is a needle, or a leg of a chip.
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("pin",),
        pattern=re.compile(rf"(?<![A-Za-z0-9])PIN\s{_CODE}"),
    ),
    _rule(("code", "combination"), rf"{_DOOR}{_IS}#?{_CODE}"),
    _rule(("otp", "code"), rf"{_ONE_TIME}(?:{_IS}|\s{{1,2}}){_CODE}"),
    _rule(
        ("验证码", "校验码", "动态", "门禁码", "开门码", "锁码", "锁屏码"),
        rf"(?:验证码|校验码|动态码|动态口令|门禁码|开门码|解锁码|开锁码|锁屏码){_IS_IN_CHINESE}{_CODE}",
    ),
)
