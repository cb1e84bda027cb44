"""Claims that something is done: "搞定了", "done with the tickets". Rules in both languages.

They may be generous: a claim without a matching open todo has no effect.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import PhraseSet, read_phrases
from palimpsest_language.proposals import CompletionClaim, MessageQuote
from palimpsest_language.rule_tables import forget_when_switched, read_pieces

_ENGLISH, _CHINESE = (
    read_phrases(f"{language}_completion_claims") for language in ("english", "chinese")
)
_FINISHED = read_pieces("english_completion_claims")["FINISHED"]
_NO_MORE_REMINDING = re.compile(r"(?:不用|别|不必|甭)(?:再)?提醒(?:我)?(?:了)?")
"""A request not to be reminded means that the task is done: 已经打过电话了，别提醒了."""
_SAID_BESIDES = re.compile(
    r"[,;] (?:and |so )*(?=(?:also |then |just |finally |already )*(?:i |we |i've |we've |"
    rf"{_FINISHED}\b))"
    rf"| and (?=(?:(?:i|we|i've|we've) )?(?:also |then |just |finally |already )*(?:{_FINISHED}) "
    r"(?:the|my|our|that|those)\b)",
    re.IGNORECASE,
)
"""The boundary between two finished tasks: "renewed my passport, also booked the flights"."""
_BETWEEN_CLAUSES = re.compile(r"[，,；;]")
_BETWEEN_DEEDS = re.compile(r"[，,；;]\s*|(?<=[了啦])\s+")
_LEAST_DEEDS_APART = 2
"""The least clauses with a named deed of which each is a claim: 物业费交了，猫砂也买好了."""
_LEFT_OUT = re.compile(
    r"\b(?:(that)(s)|(it)(s)(?= (?:all |now )*(?:done|sorted|finished|fixed)\b)|(i)(m|ve)"
    r"|((?:have|has|is|are|do|does|did|was|could|would|should|ca|wo)n)(t))\b",
    re.IGNORECASE,
)
"""Words with a missing apostrophe: “thats sorted”, “havent paid it”."""
_AROUND = " 。.!！~～"
_LONGEST_OPENING = 3
_POINTING = re.compile(
    r"(?:it|that|this|them|those|these)(?: all| both| now| too| one)?", re.IGNORECASE
)
_HOW_DONE = re.compile(
    r"(?<=.)(?:刚刚?|刚才|已经|我)*(?:在|用|拿|通过)(?:手机|网上|线上|微信|支付宝|银行|电脑|app|小程序|柜台)(?:上|里)?$"
    r"|(?<=..)(?:我|刚刚?|刚才|才|今天)*(?:发现|看见|看到|听说)$"
    r"|(?<=\w) (?:on|with|via|through|over) (?:my |the )?"
    r"(?:phone|app|website|laptop|computer|internet)$",
    re.IGNORECASE,
)
"""How it was done or learnt, which is no part of the thing: "the bill on my phone", 门禁刚发现."""
_SPEAKER_ALONE = re.compile(r"(?:我们?|都|也|今天|昨天|刚|全部?)+")


@forget_when_switched
@lru_cache(maxsize=256)
def is_deed_report(text: str) -> bool:
    """Tell whether a text reports a finished deed: “Also booked the flights, Feb 8 to 23”."""
    plain = text.replace("’", "'")
    if not (_ENGLISH["deed"].search(plain) or _CHINESE["deed"].search(plain)):
        return False
    return not (_CHINESE if has_chinese(plain) else _ENGLISH)["not_yet"].search(plain)


def find_completion_claims(sentence: str, *, message: int) -> Iterator[CompletionClaim]:
    """Yield all claims of a user's sentence that something is done, each in its own words."""
    whole = MessageQuote(message=message, quote=sentence)
    chinese = has_chinese(sentence)
    parts = (_BETWEEN_DEEDS if chinese else _SAID_BESIDES).split(sentence)
    not_yet = (_CHINESE if chinese else _ENGLISH)["not_yet"]
    if len(parts) > 1 and not_yet.search(sentence.replace("’", "'")):
        parts = [sentence]
    claims = [find_completion_claim(part.strip(), message=message) for part in parts]
    named = sum(claim is not None and claim.about is not None for claim in claims)
    if chinese and len(parts) > 1 and named < _LEAST_DEEDS_APART:
        claims = [find_completion_claim(sentence.strip(), message=message)]
    for claim in filter(None, claims):
        yield claim.model_copy(update={"evidence": whole})


def drop_repeated_claims(claims: Iterable[CompletionClaim]) -> Iterator[CompletionClaim]:
    """Drop claims that name nothing behind a claim that does, because they refer back to it."""
    has_named = False
    for claim in claims:
        if claim.about is not None or not has_named:
            yield claim
        has_named = has_named or claim.about is not None


def find_completion_claim(sentence: str, *, message: int) -> CompletionClaim | None:
    """Return the claim of a user's sentence that something is done; None without one."""
    said = _NO_MORE_REMINDING.sub("", sentence).replace("’", "'")
    plain = _LEFT_OUT.sub(lambda found: "'".join(filter(None, found.groups())), said)
    phrases, texts = (_CHINESE, _clauses(plain)) if has_chinese(plain) else (_ENGLISH, [plain])
    match = phrases["called_off"].search(plain if phrases is _ENGLISH else sentence.strip())
    if match is None and phrases["not_yet"].search(plain):
        return None
    match = match or _first_match(phrases["claim"], texts)
    if match is None:
        return None
    about = _HOW_DONE.sub("", (match.groupdict().get("about") or "").strip())
    return CompletionClaim(
        about=about if about and not _POINTING.fullmatch(about) else None,
        evidence=MessageQuote(message=message, quote=sentence),
    )


def is_called_off(sentence: str) -> bool:
    """Tell whether a sentence says that something is not to be done or reminded of any more."""
    phrases = _CHINESE if has_chinese(sentence) else _ENGLISH
    return phrases["called_off"].search(sentence.replace("’", "'").strip()) is not None


def _clauses(sentence: str) -> list[str]:
    """As it stands, then its first words alone (电话打了，一切都好), behind a 好的 or 嗯.

    Who says in the middle of a story that something was done tells of other things.
    """
    parts = [part.strip(_AROUND) for part in _BETWEEN_CLAUSES.split(sentence)]
    return [sentence, *parts[: 2 if len(parts[0]) <= _LONGEST_OPENING else 1]]


def _first_match(claims: PhraseSet, texts: Sequence[str]) -> re.Match[str] | None:
    found = (match for text in texts for _, match in claims.find_each(text))
    return next((match for match in found if not _names_nobody_else(match)), None)


def _names_nobody_else(match: re.Match[str]) -> bool:
    """我已经复查过了: it was the speaker who did it, and that is not what was done."""
    about = match.groupdict().get("about")
    return about is not None and _SPEAKER_ALONE.fullmatch(about.strip()) is not None
