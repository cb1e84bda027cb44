"""Bank accounts: IBANs by their check digits, other numbers by what is said around them."""

import re
from collections.abc import Iterator

from stdnum import iban

from palimpsest_language.redaction.number_context import is_number_continued
from palimpsest_language.redaction.secret_rules import CONTEXT_CHARACTERS

_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}"
    r"(?:[A-Za-z0-9]{11,30}+|(?:[ -][A-Za-z0-9]{4}){2,7}+(?:[ -][A-Za-z0-9]{1,3}+)?)"
    r"(?![A-Za-z0-9])"
)
_LAST_GROUP = re.compile(r"[ -][A-Za-z0-9]+$")
_SHORTEST_IBAN = 15
_MOST_LOOKED_UP = 200
"""The most numbers whose national form is checked, at 30 µs each; beyond it the check digits count.
"""

_DIGITS = r"(?P<number>[0-9](?:[ -]?[0-9]){7,29}+)"
_STATED = re.compile(
    r"(?:\b(?:account|acct)\.?\s?(?:number|no\.?|num\.?|#)?"
    r"|(?:银行|对公|收款|汇款|结算|储蓄|我的)?[账帐][号户](?:号码?|名)?)"
    r"(?:\s?(?:is|was)\s|\s?[:：=＝#]|是|为|\s){1,3}\s?" + _DIGITS,
    re.IGNORECASE,
)
_OF_A_BANK = re.compile(
    r"\bbank|\bchecking\b|\bsavings\b|\brouting\b|\bsort code\b|\bswift\b|\bbic\b|\bach\b|\biban\b"
    r"|\bwire\b|\bdeposits?\b|银行|开户|对公|支行|分行|转账|汇款|打款|工行|农行|建行|中行|交行"
    r"|招行",
    re.IGNORECASE,
)
_AS_DIGITS = {
    ord(" "): None,
    ord("-"): None,
    **{ord("A") + position: str(10 + position) for position in range(26)},
}


def find_bank_accounts(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    for position, match in enumerate(_IBAN.finditer(text)):
        if end := _end_of_iban(match, thoroughly=position < _MOST_LOOKED_UP):
            yield match.start(), end
    for match in _STATED.finditer(text):
        start, end = match.span("number")
        if not is_number_continued(text, end) and _of_a_bank(text, match.start(), end):
            yield start, end


def _end_of_iban(match: re.Match[str], *, thoroughly: bool) -> int:
    """Return where the number ends: a four-letter word behind it looks like a group of it."""
    candidate = match.group()
    while len(candidate) >= _SHORTEST_IBAN:
        if _checks(candidate) and (not thoroughly or iban.is_valid(candidate, check_country=False)):
            return match.start() + len(candidate)
        shorter = _LAST_GROUP.search(candidate)
        if shorter is None:
            break
        candidate = candidate[: shorter.start()]
    return 0


def _checks(candidate: str) -> bool:
    """Check ISO 7064, modulus 97: the library's first check, thirty times as fast."""
    return int((candidate[4:] + candidate[:4]).upper().translate(_AS_DIGITS)) % 97 == 1


def _of_a_bank(text: str, start: int, end: int) -> bool:
    return (
        _OF_A_BANK.search(text, max(0, start - CONTEXT_CHARACTERS), end + CONTEXT_CHARACTERS)
        is not None
    )
