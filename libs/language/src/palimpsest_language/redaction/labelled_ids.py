"""Personal numbers known by their labels: passports, driving licences, social security.

With a label no check digit is required: a mistyped number tells nearly as much.
"""

import re
from collections.abc import Iterator

from palimpsest_language.redaction.number_context import is_number_continued
from palimpsest_language.redaction.search_windows import merge_windows

_NUMBER = r"(?:\s?(?:numbers?|nos?\b\.?|num\b\.?|nr\b\.?|code)|\s?#)"
_ENGLISH_DOCUMENT = (
    r"(?:passports?(?:\scard|\sbook)?|driv(?:er|ers|er['’]s|ers['’]|ing)\s?licen[cs]es?|"
    r"(?:identity|id(?:entification)?|citizen|resident|residence|residency|national"
    r"(?:\sidentity|\sid)?|health(?:\sinsurance)?|green|state(?:\sid)?|government"
    r"(?:\sid)?)\scards?"
    r"|(?:national|state|government(?:-issued)?|citizen|tax|taxpayer|resident)\sid"
    r"(?:entity|entification)?|residence\spermit|work\spermit|travel\sdocument|visa"
    r"|social\s(?:security|insurance)(?:\scard)?|national\sinsurance|medicare|medicaid|nhs"
    r"|aadhaar|alien(?:\sregistration)?|military\sid)"
)
_ENGLISH_NUMBER = (
    r"(?:ssn|itin|nino|ni\snumber|sin\snumber|dl\s?(?:number|no\.?|#)|aadhaar|d/l\s?no\.?)"
)
_FOR = r"(?:\s(?:for|of|on)\s[^\n.,;:!?0-9]{1,30}?)?"
_IS = (
    r"(?:,?\s(?:and\s)?it(?:\sis|['’]s)|['’]s|\s(?:is|was|will\sbe)(?:\s"
    r"(?:now|currently|still|actually))?)?"
    r"\s{0,2}[:=：＝#]?\s{0,3}[\"'“(]?"
)
_CHINESE_DOCUMENT = (
    r"(?:居民)?身[份分][证證]|(?:有效)?证件|護照|护照|[驾駕]照|[驾駕][驶駛][证證执執]照?|社保卡?"
    r"|社會?会?保[险障險](?:卡)?|社会安全|医保卡?|醫保卡?|健保卡?"
    r"|(?:港澳|往来港澳|台湾|大陆)?通行证|台胞证|回乡证|居住证|居留证|永居证|签证|军官证|士兵证"
    r"|工作许可证|绿卡|公民身份|残疾证|出生证"
)
_CHINESE_NUMBER = r"(?:的?(?:号码?|字[号號]|[号號][码碼]?|编号|[账帐]号))"
_IS_IN_CHINESE = (
    r"\s?(?:[（(][^（）()\n]{0,8}[)）])?\s?(?:现在|应该|已经|就|都|分别)?"
    r"(?:是|为|為|换成了?|改成了?|变成了?)?\s?[:：=＝]?\s{0,2}[\"“（(]?"
)
_VALUE = (
    r"(?P<value>(?:[A-Za-z]{1,6}[ -]?)?[0-9][0-9A-Za-z]{0,20}+(?:[ -][0-9]{1,8}[A-Za-z]?"
    r"(?![A-Za-z]))*+(?:[ -][A-Z](?![A-Za-z]))?)"
    r"(?![0-9A-Za-z_])"
)
_LICENCE = r"(?P<mixed>[A-Z]{2,9}[0-9][0-9A-Z]{5,14})(?![0-9A-Za-z_])"

_NUMBERED = re.compile(
    rf"(?:\b(?i:(?:{_ENGLISH_DOCUMENT}){_NUMBER}|{_ENGLISH_NUMBER}(?:{_NUMBER})?)(?i:{_FOR}{_IS})"
    rf"|(?:{_CHINESE_DOCUMENT}){_CHINESE_NUMBER}{_IS_IN_CHINESE})(?:{_LICENCE}|{_VALUE})"
)
_NAMED = re.compile(
    rf"(?:\b(?i:(?:{_ENGLISH_DOCUMENT}))(?i:{_IS})|(?:{_CHINESE_DOCUMENT}){_IS_IN_CHINESE})(?:"
    rf"{_LICENCE}|{_VALUE})"
)
"""The name of a document alone; beside its number people mention it in many ways."""
_BEHIND = re.compile(
    r"(?<![0-9A-Za-z_.#-])(?P<value>[A-Za-z]{0,3}[0-9]{6,18}[A-Za-z]?)(?![0-9A-Za-z_])"
    rf"(?:\s(?i:is|was)\s(?i:(?:my|his|her|our|your|their|the)\s(?:[a-z'’]{{1,12}}\s){{0,2}})(?i:"
    rf"{_ENGLISH_DOCUMENT}{_NUMBER}|{_ENGLISH_NUMBER})"
    rf"|\s?[，,]?\s?(?:这)?就?是[^，。！？\s0-9]{{0,6}}?(?:{_CHINESE_DOCUMENT}){_CHINESE_NUMBER})"
)
_HINT = re.compile(
    r"passport|licen[cs]e|\bid\b|card|permit|document|visa|social|insurance|medica|nhs|ssn|itin"
    r"|nino|aadhaar|alien|\bni\b|\bsin\b|\bdl\b|d/l"
    r"|[证證照卡]|社[保会會]|医保|公民",
    re.IGNORECASE,
)
_A_DATE = re.compile(
    r"(?:19|20)[0-9]{2}[- ]?(?:0?[1-9]|1[0-2])(?:[- ]?(?:0?[1-9]|[12][0-9]|3[01]))?"
)
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")
_LIKE_A_NUMBER = re.compile(r"[0-9](?:[ -]?[0-9A-Za-z]){4,}+")
_NAMED_WITHIN = 192
"""Characters beside a number that may hold its name: the longest names with their words."""
_FEWEST_DIGITS = 5
_FEWEST_WITHOUT_NUMBER = 6
_LONGEST = 32


def find_labelled_ids(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    if _DIGIT.search(text) is None or _HINT.search(text) is None:
        return
    numbers = (match.span() for match in _LIKE_A_NUMBER.finditer(text))
    for start, end in merge_windows(numbers, before=_NAMED_WITHIN, behind=_NAMED_WITHIN):
        yield from _find_between(text, start, min(end, len(text)))


def _find_between(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    for pattern, is_one in (
        (_NUMBERED, _is_number),
        (_NAMED, _is_unmistakable),
        (_BEHIND, _is_number),
    ):
        for match in pattern.finditer(text, first, last):
            group = "mixed" if match.groupdict().get("mixed") else "value"
            start, end = match.span(group)
            if is_one(text[start:end]) and not is_number_continued(text, end):
                yield start, end


def _is_number(value: str) -> bool:
    if len(value) > _LONGEST or _A_DATE.fullmatch(value):
        return False
    return len(_DIGIT.findall(value)) >= _FEWEST_DIGITS


def _is_unmistakable(value: str) -> bool:
    """Tell whether a number cannot be a year, date, price or telephone number."""
    if not _is_number(value) or " " in value:
        return False
    digits = len(_DIGIT.findall(value))
    with_letter = _LETTER.match(value) is not None and digits >= _FEWEST_WITHOUT_NUMBER
    return with_letter or (len(value) == digits and digits in {9, 15, 17, 18})
