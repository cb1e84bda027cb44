"""Secrets known by the words around them: "password: x", "密码是 x", "api_key=x"."""

import re

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_measures import (
    measure_adjacent_mixed_value,
    measure_adjacent_value,
    measure_assigned_value,
    measure_chinese_passphrase,
    measure_described_password,
    measure_generated_key,
    measure_long_key,
    measure_mixed_value,
    measure_nonword_value,
    measure_url_password,
    measure_value_in_sentence,
)
from palimpsest_language.redaction.secret_rules import (
    MAXIMUM_JUDGED_CHARACTERS,
    SecretMeasure,
    SecretRule,
)

_QUOTE = r"\\?[\"'`“‘「『]"
_UNQUOTED = r"[^\s\"'`“”‘’「」『』，。；、！？\u3400-\u9fff]"
_LENGTH = f"{{1,{MAXIMUM_JUDGED_CHARACTERS}}}+"
_VALUE = rf"(?:{_QUOTE}(?P<quoted>[^\"'`”’」』\n\\]{_LENGTH})|(?P<secret>{_UNQUOTED}{_LENGTH}))"

_ENGLISH_KEY = (
    r"(?i:password|passwd|passphrase|pass[ _-](?:phrase|code)|passcode|pwd|(?<![a-z])pw(?![a-z]))"
)
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
    r"(?i:(?:is\s|was\s|has\sbeen\s)?(?:now\s)?(?:set|changed|reset)\sto"
    r"|(?:will|should|must|used\sto)\sbe|is|was)(?:\snow)?\s{1,4}"
)
_SAID_IN_CHINESE = (
    rf"{_CLOSING}\s{{0,2}}(?:我|你|您|已经|已|就|现在|暂时|先|统一|都|帮|给|被|重置|重设|还是|还|仍"
    r"|应该|用的|填|修改|更改|更新|设置"
    r"|设定|默认|设|改|换|变){0,5}(?:成了?|为了?|是|:|：|=|＝)\s{0,3}[:：]?\s{0,3}"
)


def _rule(
    kind: SecretKind, hints: tuple[str, ...], before: str, measure: SecretMeasure
) -> SecretRule:
    return SecretRule(
        kind=kind,
        hints=hints,
        pattern=re.compile(before + _VALUE),
        measure=measure,
    )


_IT_IS = r"[,;:]?\s[-–—]?\s?(?i:it['’]?s|it\sis)\s{1,2}"
_THE_NEW_ONE = r"[\u3400-\u9fff]{0,8}，?新的?(?:密码)?(?:就?是|为|：|:)\s{0,2}"
_OF_A_NETWORK = r"(?i:\b(?:wi-?fi|wlan|network|hotspot)\s(?:key|passkey))"

_ENGLISH = ("pass", "pwd", "pw ", "pw:", "pw=", "pw：", "pw是")
_CHINESE = ("密码", "口令", "密碼")
_KEYS = ("key", "token", SecretKind.SECRET, "credential", "密钥", "秘钥", "令牌", "凭证")

PASSWORD_RULES = (
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("://",),
        # scheme://user:password@host; the user may be empty.
        pattern=re.compile(r"://[^\s:/@]{0,128}+:(?P<secret>[^\s@]{1,256}+)(?=@)"),
        measure=measure_url_password,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("://",),
        # The same with an @ in the password: up to the last @ before the path.
        pattern=re.compile(r"://[^\s:/@]{0,128}+:(?P<secret>[^\s/]{1,256})(?=@[^\s/@])"),
        measure=measure_url_password,
    ),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _ASSIGNED, measure_assigned_value),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _IS_THEN, measure_assigned_value),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _OF_SOMETHING, measure_value_in_sentence),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _SAID, measure_value_in_sentence),
    _rule(
        SecretKind.PASSWORD,
        ("pass",),
        r"(?<![A-Za-z0-9])(?i:pass)" + _ASSIGNED,
        measure_mixed_value,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("curl",),
        pattern=re.compile(
            r"(?<![a-z])curl\b[^\n]{0,128}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}+:"
            r"(?P<secret>[^\s\"']{1,128}+)"
        ),
        measure=measure_assigned_value,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("mysql", "sshpass"),
        pattern=re.compile(
            r"\b(?:mysql|mysqldump|mysqladmin|sshpass)\b[^\n]{0,128}?\s-p\s?[\"']?"
            r"(?P<secret>[^\s\"'-][^\s\"']{1,128}+)"
        ),
        measure=measure_nonword_value,
    ),
    _rule(SecretKind.PASSWORD, _CHINESE, _CHINESE_KEY + _SAID_IN_CHINESE, measure_assigned_value),
    _rule(
        SecretKind.PASSWORD,
        _CHINESE,
        _CHINESE_KEY + r"\s{0,2}+(?![:=：＝])",
        measure_adjacent_value,
    ),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _SAID_IN_CHINESE, measure_assigned_value),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + r"['’]s\s{1,2}", measure_value_in_sentence),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + _IT_IS, measure_nonword_value),
    _rule(SecretKind.PASSWORD, _CHINESE, _CHINESE_KEY + _THE_NEW_ONE, measure_nonword_value),
    _rule(SecretKind.PASSWORD, _KEYS, _OF_A_NETWORK + _ASSIGNED, measure_assigned_value),
    _rule(SecretKind.PASSWORD, _KEYS, _OF_A_NETWORK + _SAID, measure_value_in_sentence),
    _rule(
        SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + r"\s(?:to|as)\s{1,2}", measure_nonword_value
    ),
    _rule(SecretKind.PASSWORD, _ENGLISH, _ENGLISH_KEY + r"\s{1,2}", measure_adjacent_mixed_value),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=_ENGLISH,
        # The reverse order: "use x as the password".
        pattern=re.compile(
            rf"\b(?i:use|using|enter|type|try|with|put|set|made?)\s{{1,2}}{_VALUE}[\"'”’]?\s"
            rf"(?:as|for)\s(?:[\w-]{{1,20}}+\s){{0,3}}{_ENGLISH_KEY}"
            r"(?!\s(?:hash|hint|manager|polic|field|reset|rule))"
        ),
        measure=measure_nonword_value,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=_CHINESE,
        # 把 x 设为密码
        pattern=re.compile(
            rf"[把将用拿以]\s?{_VALUE}[\"'”’」]?\s?(?:设置?[为成]|设定[为成]|作为|当成?|当作|做"
            r"|改[为成])"
            rf"[^，。；！\s]{{0,8}}?{_CHINESE_KEY}"
        ),
        measure=measure_nonword_value,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=("口令", "暗号"),
        pattern=re.compile(r"(?:口令|暗号)[:：]\s?(?P<secret>[\u3400-\u9fff]{4,16}+)"),
        measure=measure_chinese_passphrase,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=_CHINESE,
        # 密码就是糖糖生日1016
        pattern=re.compile(
            _CHINESE_KEY
            + _SAID_IN_CHINESE
            + (
                r"(?P<secret>[\u3400-\u9fff]{1,10}+[A-Za-z0-9@#!$%&*._+-]{3,32}+)"
                r"(?=[啊哦呀吧的了哈呢]?(?:$|[\s，。！？；、,;!?)）]))"
            )
        ),
        measure=measure_described_password,
    ),
    SecretRule(
        kind=SecretKind.PASSWORD,
        hints=_ENGLISH,
        # password is my dog's birthday 1016
        pattern=re.compile(
            rf"{_ENGLISH_KEY}(?:{_SAID}|{_ASSIGNED})"
            r"(?P<secret>(?i:(?:my|our|his|her|their)|[a-z]{2,20}['’]s)\s"
            r"(?:[A-Za-z'’]{1,20}\s){0,4}?(?:\+\s?)?[0-9]{3,8})(?![0-9A-Za-z])"
        ),
        measure=measure_described_password,
    ),
    _rule(
        SecretKind.SECRET,
        _KEYS,
        f"{_CREDENTIAL}(?:{_ASSIGNED}|{_SAID}|{_SAID_IN_CHINESE})",
        measure_generated_key,
    ),
    _rule(SecretKind.SECRET, _KEYS, _CREDENTIAL + r"\s{1,2}", measure_long_key),
)
