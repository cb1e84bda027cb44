"""Asides to the assistant about the talk itself: thanks, and that others are not to hear of it.

It belongs to no statement, and is none: “don't tell my husband I said that”, 谢谢你听我说.
"""

from functools import lru_cache

from palimpsest_language.facts.chinese.shared_patterns import PIECES
from palimpsest_language.memory_injection.planted_memories import is_attack_or_rights_claim
from palimpsest_language.off_the_record.requests import asks_not_to_remember
from palimpsest_language.statements.kind_cue import compile_any

_THIS = r"(?:this|that|it|any(?:thing)? of (?:this|that|it))"
_THANKS = compile_any(
    r"^(?:ok |okay |so |and |anyway |many |a million )*(?:thanks"
    r"(?! to\b)|thank you|thx|ty\b|cheers|(?:I )?(?:really |so |much )?appreciate "
    r"(?:it|that|this|you)|much appreciated)\b"
    r"(?! (?:card|note|gift|letter))(?![^\n]*\b(?:I|I'm|I've|my|we|our|but|is|are|from|to all)\b)"
    r"(?:[^\d,;]{0,40})$",
    (
        r"^(?:真的?|太|非常|很|十分|还是|先)*(?:(?:谢谢|多谢|感谢|感激)"
        r"(?=[你您啦了哈啊]|$)|谢啦|谢了|辛苦[你您了啦])(?!.*对|.*我"
        r"(?!说|讲|倾诉|唠叨|吐槽|的?忙))[^，。\d]{0,12}$"
    ),
)
_ASKS_SILENCE = compile_any(
    r"^(?:please |pls |just |but |and |so )*(?:don't|do not|never) "
    r"(?:tell|say|mention|repeat|share|let)\b(?: (?:anyone|anybody|[\w']+(?: [\w']+)?))??"
    r"(?: (?:about|know))?(?: (?:that )?I (?:said|told you|mentioned|asked)(?: (?:so|"
    rf"{_THIS}|you))*| {_THIS}(?: to (?:anyone|anybody|[\w']+(?: [\w']+)?))?)$",
    (
        r"^(?:please |pls |just |but |and |so )*(?:don't|do not) (?:tell|say anything to) "
        r"(?:anyone|anybody|(?:my|our) \w+(?: \w+)?)$"
    ),
    (
        rf"^(?:please |pls |just |but |and |so )*keep (?:{_THIS} )?(?:between "
        r"(?:us|you and me|ourselves)|to yourself|quiet|secret|private|confidential)$"
    ),
    (
        r"^(?:(?:that's|this is|it's|strictly|just|all) )*(?:between (?:us|you and me|ourselves))"
        r"(?: (?:two|only))?$|^you (?:didn't|did not) hear (?:it|this|that) from me$|^mum's the "
        r"word$"
    ),
    r"^(?:你|您|可|千万|请|就|先|拜托|但|不过)*(?:别|不要|不能|不许|不准)(?:再)?(?:告诉(?!我"
    rf"(?!们?的?{PIECES['RELATIVE']}|爸|妈|[哥姐弟妹老家们]))|让(?=.{{1,5}}知道)|(?:跟|和|对|向)"
    rf"(?!我们?(?:说|讲|提))(?=.{{1,5}}(?:说|讲|提)))"
    r"[^，。的]{1,6}?(?:知道|说起?|讲|提起?)?(?:是我说的|我说(?:过|了|的)?"
    r"(?:这个|这些|这话)?|我讲的|这些?(?:话|事|个|件事)?|出去)?[了啊哦呀吧]?$",
    r"^(?:你|您|可|千万|请|就|先|但|不过)*(?:别|不要|不能)(?:往外|到处|乱)?(?:说|讲|传)"
    r"(?:出去|给别人)?[了啊哦呀吧]?$|^(?:请|要|帮我|替我|记得|一定)*保[个]?密[啊哦呀吧]?$"
    r"|^(?:这事|这话)?(?:就|只有?)?(?:咱俩?|我们俩?|你我)(?:之间|知道|两个)+"
    r"(?:就行|就好)?[了啊哦呀吧]?$|^(?:这事|这话)?我?(?:只|就)(?:跟|告诉|和)你(?:一个人)?"
    r"(?:说|讲)?(?:了|的)?$|^你知我知$",
)
"""Of what was just said: “don't tell Ann about the party on Friday” says a thing of its own."""


def is_aside(core: str) -> bool:
    """Thanks, or a word on who is to hear of what was said; nothing that matters later."""
    plain = core.replace("’", "'").strip()
    return _THANKS.search(plain) is not None or _ASKS_SILENCE.search(plain) is not None


@lru_cache(maxsize=1024)
def is_excluded_sentence(sentence: str) -> bool:
    """Tell whether it would cost whatever it is joined with.

    An attack, or what is off the record.
    """
    return is_attack_or_rights_claim(sentence) or asks_not_to_remember(sentence)
