"""Unredacted secrets: words that may be secret by name and looks, though no rule found them."""

import re

from palimpsest_language.statements.kind_cue import compile_any

_SECRET_NAMED = compile_any(
    r"\b(?:wi-?fi|network) (?:pass|key|code)\b|\bpass\b(?= is\b|:)|\b(?:pass"
    r"(?:word|code|phrase|port)s?|pwd|pw|log-?ins?|credentials?|"
    r"(?:api|secret|private|access|licen[cs]e|recovery|master|ssh) keys?|tokens?|secrets?|pin|cvv"
    r"|cvc|iban|ssn"
    r"|social security|(?:door|gate|alarm|entry|access|security|garage|lock|safe|house|building"
    r"|backup|recovery|verification|log-?in|key) (?:code|combination|combo)s?|combination|"
    r"(?:card|account|id|routing|licen[cs]e|insurance) (?:number|no\.?)|credit card|debit card)\b",
    (
        r"密码|口令|身份证|银行卡|信用卡|卡号|护照|密钥|秘钥|私钥|验证码|门禁码|开门码|账号|帐号"
        r"|助记词|安全码|社保号|驾照号|保险箱|锁的?码|解锁码|暗号"
    ),
)

_SECRET_ITSELF = re.compile(
    r"\d{4,}|(?<!\S)(?:(?=\S*\d)(?=\S*[A-Za-z])\S{6,}|(?=\S*[A-Za-z\d])\S*[!@#$%^&*?_+=~]\S{2,})"
    r"|[\u4e00-\u9fff][A-Za-z\d]{4,}"
)

_SECRET_TOLD = re.compile(
    (
        rf"(?:{_SECRET_NAMED.pattern})\s*(?:is|are|was|[:：=]|是|为)\s*(?!"
        r"(?:on|in|at|under|behind|expired|wrong|too|not|for)\b)\S*[\dA-Za-z]"
    ),
    re.IGNORECASE,
)

_LOOKS_SECRET = re.compile(
    r"(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[!@#$%^&*?~])[^\s/:=]{8,}(?!\S)"
    r"|(?<![A-Za-z0-9])(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|npm|hf)[-_](?=[\w-]*\d)[\w-]{8,}"
)
"""The second part: keys, by how those who hand them out begin them."""


def names_secret(text: str) -> bool:
    return _SECRET_NAMED.search(text) is not None


def looks_like_secret(text: str, *, named: bool) -> bool:
    """Return what may be a secret, though no rule of privacy has told it, by its looks.

    `named`: the name of one stands beside it, and much looks like one then.
    """
    if _LOOKS_SECRET.search(text) or _SECRET_TOLD.search(text):
        return True
    return named and _SECRET_ITSELF.search(text) is not None
