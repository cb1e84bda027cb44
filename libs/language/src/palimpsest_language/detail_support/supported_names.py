"""Proper names of a statement that were said, or follow from a said name by a table.

A name is looked for in the whole window up to the message, where "she" and "there" were named.
Names across two languages are written differently and cannot be compared, so they are not checked.
"""

import re
from collections.abc import Iterator

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.detail_support.source_words import SourceWords

_LATIN_NAME = re.compile(r"(?<![\w'’-])(?P<name>[A-Z][\w+#]*(?:[.-][A-Za-z0-9]\w*)*)")
_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9])(?P<name>[A-Za-z][A-Za-z0-9+#]+)")
_OPENS = re.compile(r"(?:^|[.!?:;…“”\"'‘’(—–\n]\s*)$")
_ABOUT_SOMEBODY = re.compile(r"(?:['’]s\b| (?:[a-z]+(?:s|ed)\b|had\b|said\b|and [A-Z]|[A-Z]))")
"""Words behind the first word of a sentence that show it to be a name."""
_CALLED_ZH = re.compile(
    r"(?:名叫|叫做|叫|名字是|姓名是|《)(?P<name>[\u4e00-\u9fff]{2,4}?)(?=[，。,；》）]|$)"
)
_PLACE_ZH = re.compile(
    r"(?P<name>[\u4e00-\u9fff](?![给去到在跟和对从向往把被找进])[\u4e00-\u9fff])(?:公司|集团|科技|大学|医院|银行|市|省|县|小区)(?![\u4e00-\u9fff]{0,1}场)"
)
"""得给银行打电话 names no bank: a name does not end with a preposition."""
_NO_NAME = frozenset(
    word
    for line in (
        "the a an i user users agent agents assistant team they their theirs them themselves he",
        "she himself herself itself his her hers its it this that these those there no not yes",
        "asked said instead when while where who what which how why if because after before",
        "since until and or but so then now never always my your our we you some one two both all",
        "each every",
        "in on at for from with without by to of as is are was were do does did has have had",
        "mr mrs ms dr prof",
    )
    for word in line.split()
)
_SPEAKERS_ZH = re.compile("用户|助手|自己|对方|团队")
"""Words that replace 我 and 你 in a statement."""
_COMMON_ZH = frozenset({"这家", "那家", "一家", "的公", "在市", "全市", "本市", "同一"})
_DERIVED = {
    "french": "france", "spanish": "spain", "dutch": "netherlands holland", "british": "uk britain",
    "american": "us usa america", "german": "germany", "greek": "greece", "danish": "denmark",
    "swiss": "switzerland", "english": "england", "welsh": "wales", "irish": "ireland",
    "polish": "poland", "turkish": "turkey", "thai": "thailand", "finnish": "finland",
}  # fmt: skip
"""Words for a people or a language, with the countries of their names."""
_SAME_STEM = 4
"""The least letters that two forms of one name share: Italy and Italian."""
_TIMES = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|am|pm|utc|gmt)",
    re.IGNORECASE,
)


def find_unsupported_name(text: str, sources: SourceWords) -> str | None:
    """Return the first proper name of the text that nobody said; None without one."""
    said = sources.text
    if has_chinese(text) != has_chinese("\n".join(source.text for source in sources.cited)):
        return None
    return next((name for name in _list_names(text) if not _is_said(name, said)), None)


def is_common_word(word: str) -> bool:
    """Tell whether a capitalised word is no name: articles, pronouns, days and months."""
    return word.casefold() in _NO_NAME or _TIMES.fullmatch(word) is not None


def _list_names(text: str) -> Iterator[str]:
    if not has_chinese(text):
        yield from _list_english_names(text)
        return
    for match in _LATIN_WORD.finditer(text):
        if match["name"].casefold() not in _NO_NAME:
            yield match["name"]
    text = _SPEAKERS_ZH.sub("我", text)
    called = (match["name"].removeprefix("我") for match in _CALLED_ZH.finditer(text))
    yield from (name for name in called if name and "我" not in name)
    for match in _PLACE_ZH.finditer(text):
        if match["name"] not in _COMMON_ZH and "我" not in match["name"]:
            yield match["name"]


def _list_english_names(text: str) -> Iterator[str]:
    for match in _LATIN_NAME.finditer(text):
        name = match["name"]
        if is_common_word(name):
            continue
        opens = _OPENS.search(text[: match.start()]) is not None
        if not opens or _ABOUT_SOMEBODY.match(text, match.end()):
            yield name


def _is_said(name: str, said: str) -> bool:
    plain = name.casefold().removesuffix("'s").removesuffix("’s")
    if plain in said or plain.replace("-", " ") in said:
        return True
    if any(country in said for country in _DERIVED.get(plain, "").split()):
        return True
    stem = plain[: max(_SAME_STEM, len(plain) - 3)]
    return len(plain) >= _SAME_STEM and re.search(rf"(?<![a-z]){re.escape(stem)}", said) is not None
