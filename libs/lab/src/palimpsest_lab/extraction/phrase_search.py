"""Find phrases in a text however they are spaced, and whether they are denied. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

_FIRST_WIDE = 0x2E80
"""From here on Unicode holds the scripts of East Asia, whose words stand without spaces."""

_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:[, ]\d{3})+(?!\d)")
_WITHIN_NUMBERS = re.compile(r"(?<=\d)[.:/-](?=\d)")
_MEANINGFUL_SYMBOLS = "#%+=<>$€£¥°"
_PLURALS = ("s", "es")


@dataclass(frozen=True)
class CondensedText:
    """A text without case, spaces and punctuation, that still knows where its words began."""

    text: str
    edges: frozenset[int]
    """Positions where a word begins or ends."""

    def holds(self, form: "CondensedText") -> bool:
        """Return whether the form occurs as whole words; its English plural counts."""
        if not form.text:
            return False
        start = self.text.find(form.text)
        while start >= 0:
            end = start + len(form.text)
            if start in self.edges and self._ends(end):
                return True
            start = self.text.find(form.text, start + 1)
        return False

    def _ends(self, end: int) -> bool:
        if end in self.edges:
            return True
        return any(
            self.text.startswith(plural, end) and end + len(plural) in self.edges
            for plural in _PLURALS
        )


@lru_cache(maxsize=65_536)
def condense_text(text: str) -> CondensedText:
    """NFKC, case folded, letters and digits and what changes the meaning of a number or a name.

    `2,000` and `2 000` are `2000`; points, colons, slashes and hyphens stay between digits.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = _THOUSANDS.sub(lambda number: re.sub(r"[, ]", "", number[0]), plain)
    inside = {match.start() for match in _WITHIN_NUMBERS.finditer(plain)}
    kept: list[str] = []
    edges = {0}
    before = ""
    for position, character in enumerate(plain):
        sort = "digit" if position in inside else _sort(character)
        if sort != before or sort == "wide":
            edges.add(len(kept))
        before = sort
        if sort:
            kept.append(character)
    edges.add(len(kept))
    return CondensedText("".join(kept), frozenset(edges))


@cache
def _sort(character: str) -> str:
    """Return the class of characters that stand together in a word; empty if left out."""
    if character.isdigit():
        return "digit"
    if character in _MEANINGFUL_SYMBOLS:
        return "symbol"
    if not character.isalnum() and not unicodedata.combining(character):
        return ""
    return "wide" if ord(character) >= _FIRST_WIDE else "letter"


def has_phrase(text: str, form: str) -> bool:
    return condense_text(text).holds(condense_text(form))


def has_any_phrase(text: str, forms: Iterable[str]) -> bool:
    whole = condense_text(text)
    # A loop, because a benchmark asks this a million times.
    for form in forms:  # noqa: SIM110
        if whole.holds(condense_text(form)):
            return True
    return False


_CLAUSES = re.compile(
    r"[,.;:!?，。；：！？…\n]+(?!\d)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|但是?|不过|而是"
    r"|改成|改为|改用|\bbut\b|\bthough\b|\binstead\b",
    re.IGNORECASE,
)
"""People who type Chinese in a hurry part their clauses by spaces."""

_NO_DENIAL = re.compile(
    r"不错|不但|不仅|不只|不管|不论|不久|不断|不同|不好意思|不得不|不超过|不低于|不少于|不多于|不止|得不行"
    r"|别超过|不下来|不住|没问题|没事|没关系|别人|特别|级别|分别|区别|告别|性别|个别|除非|能不能|要不要|是不是"
    r"|\bno (?:more|less|later) than\b|\bnot only\b|\bno problem\b|\bnot (?:more|less) than\b",
    re.IGNORECASE,
)

_DENIAL = re.compile(
    r"不|没|别|勿|莫|讨厌|嫌|忌|拒|避|受不了|算了"
    r"|n['’]t\b|\bno\b|\bnot\b|\bnobody\b|\bnever\b|\bcannot\b|\bhat(?:es?|ed|ing)\b"
    r"|\bdislik|\bavoid|\brefus|\banymore\b",
    re.IGNORECASE,
)

_ENDING = re.compile(
    r"无|免|除了|戒|砍|搁置|放一放|卸|停了|取消|离开|离职|辞|搬走|搬离|退出|退订|放弃|扔了|删|分手|以前|曾|原来|原先"
    r"|过去|之前|\bnone\b|\bwithout\b|\bexcept\b|\bskip|\bstop|\bquit|\bgave up\b"
    r"|\bgiv(?:e|en|ing) up\b|\bused to\b|\bformer|\bprevious|\bleft\b|\bended\b|\bcancel"
    r"|\bdrop(?:s|ped|ping)?\b|\bscrap|\btak(?:e|es|ing) back\b|\brather than\b|\bswitch(?:ed)? from\b|\bdone with\b|\bover\b|\bsold\b|\buntil\b",
    re.IGNORECASE,
)
"""They may end what was, and may as well be about something else: enough to confirm an ending
that is expected, too little to refuse what is expected to hold."""

_SHORT_DENIAL = re.compile(r".{0,4}[不没别讨嫌受].{0,4}")


def is_denied_or_ended(text: str) -> bool:
    """Return whether anything in the text is denied, or said to be over."""
    return _denies(text) or _ENDING.search(text) is not None


def is_any_phrase_denied(text: str, forms: Iterable[str]) -> bool:
    """Return whether a form is denied in each clause that holds it; false if no clause does.

    What is denied comes after the denial (`不喝咖啡`), or right before one that ends the
    clause (`咖啡我不喝`). In `tabs not spaces`, tabs are not.
    """
    wanted = [form for form in forms if condense_text(form).text]
    verdicts = [
        _denied_in(clause, form)
        for clause in _CLAUSES.split(unicodedata.normalize("NFKC", text))
        for form in wanted
        if clause and has_phrase(clause, form)
    ]
    return bool(verdicts) and all(verdicts)


def _denied_in(clause: str, form: str) -> bool:
    spread = r"[\W_]*".join(re.escape(character) for character in condense_text(form).text)
    place = re.search(spread, clause, re.IGNORECASE)
    if place is None:
        return False
    before, after = clause[: place.start()], clause[place.end() :]
    return _denies(before) or (_denies(after) and _SHORT_DENIAL.fullmatch(after) is not None)


def _denies(text: str) -> bool:
    return _DENIAL.search(_NO_DENIAL.sub(" ", text)) is not None
