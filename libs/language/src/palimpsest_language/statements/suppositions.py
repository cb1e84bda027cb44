"""Clauses that are not meant: suppositions, dreams, and what others say or think."""

import re

from palimpsest_language.statements.kind_cue import compile_any

_ENGLISH_SUPPOSITION = compile_any(
    (
        r"^(?:\W|so |and |but |or |well |ok )*(?:if|suppose|supposing|imagine|pretend|say|what if"
        r"|assuming|unless|maybe|perhaps|hypothetically|in theory)\b"
    ),
    (
        r"\b(?:would(?:'ve| have)|could(?:'ve| have)|might|would love it if|wish|dream"
        r"(?:ed|t)|in my dream|hypothetically|just (?:wondering|kidding|joking|curious)|was "
        r"wondering)\b|\bsometimes (?:I|we) (?:think|wonder|feel like)\b"
    ),
    r"\b(?:I'd|we'd|I would|we would)\b(?! (?:like|love|rather|prefer|say|always|never|been))",
)

_CHINESE_SUPPOSITION = compile_any(
    (
        r"如果|(?<!一定)(?<!必须)(?<!都)要是|假如|假设|万一|倘若|梦见|做梦|梦到|幻想|瞎想|开"
        r"(?:个)?玩笑|逗你|说着玩|骗你|也许|或许|说不定|犹豫|考虑要不要|想象|搞不好|没准|可能会"
        r"|大概会|会不会"
    ),
)

_TURNS_BACK = compile_any(
    r"^(?:but|however|in reality|actually|seriously|still)\b", r"^(?:但是?|不过|可是|其实|现实)"
)
"""Behind a supposition: what is said now is meant."""

_ENGLISH_HEARSAY = compile_any(
    (
        r"\b(?<!you )(?<!I )(?:say|says|said|saying|think|thinks|thought|claims?|claimed|reckons?"
        r"|believes?|mentioned|told (?:me|us|everyone)|telling (?:me|us|everyone)|goes"
        r"(?= like\b|\s*[:,“\"])|went like|keeps? saying|heard|read(?= "
        r"(?:that|about|somewhere|online|in an?)\b)|apparently|rumou?r|according to)\b"
        r"(?! goodbye| no\b| yes\b)"
    ),
)

_DOCTORS = re.compile(
    (
        r"^(?:(?:my|the|our|his|her) )?(?:doc|doctor|GP|dentist|vet|nurse|therapist|physio"
        r"|midwife|cardiologist|dermatologist|(?:blood |allergy |hearing |eye |MRI )?"
        r"(?:tests?|results?|scan|x-ray))\b.*\b(?:said|says?|told me|wants me|thinks)\b.*\b"
        r"(?:I|my|to|he|she|his|her)\b|^(?:医生|大夫|牙医|兽医)(?:说|让|建议)"
    ),
    re.IGNORECASE,
)
"""What they say of somebody's health is known to be so."""

_CHINESE_HEARSAY = compile_any(
    (
        r"(?:他|她|人家|同事|朋友|老板|领导|妈|爸|老伴|老婆|老公|媳妇|[哥姐弟妹爷奶公婆舅姑姨]"
        r"|儿子|女儿|室友|邻居|别人|网上|有人|大家|人人|据|听)(?:们)?"
        r"(?:老|总|一直|还|都|也|到处|跟人|跟别人|逢人|就|在背后|非)*"
        r"(?:说|讲|觉得|认为|以为|劝|传)(?!好|定|过要|下来|出去)|听说|据说|传闻|传言"
        r"|别听[他她人谁]|没有的事|没这回事|瞎传|瞎说|乱说"
    ),
)

_BY_SPEAKER = compile_any(
    r"^(?:I|we)\b(?!.*\b(?:heard|read)\b)",
    (
        r"^(?:我|我们)(?!听说|的?(?:[妈爸哥姐弟妹爷奶]|老[婆公板]|同事|室友|朋友|领导|女|男|儿子"
        r"|闺女|媳妇|对象))"
    ),
)


class SuppositionTracker:
    """Follows the clauses of one message: what was supposed is followed by what would follow."""

    def __init__(self) -> None:
        self._sentence = ""
        self._supposing = False
        self.material = False
        """What follows in the message is a text to work on."""
        self.secret_named = False
        """From then on, what looks like one in the message is."""

    def is_supposed(self, text: str, sentence: str, *, chinese: bool) -> bool:
        """Tell whether the clause is part of a supposition that its sentence has begun."""
        if sentence != self._sentence:
            self._sentence, self._supposing = sentence, False
        pattern = _CHINESE_SUPPOSITION if chinese else _ENGLISH_SUPPOSITION
        if _TURNS_BACK.search(text):
            self._supposing = False
        if pattern.search(text):
            self._supposing = True
        return self._supposing


def is_hearsay(text: str, *, chinese: bool) -> bool:
    """Return what others say or think, not what the speaker does."""
    if _BY_SPEAKER.search(text) or _DOCTORS.search(text):
        return False
    return bool((_CHINESE_HEARSAY if chinese else _ENGLISH_HEARSAY).search(text))
