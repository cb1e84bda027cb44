"""Numbers, with the words right before and after them."""

import re

from palimpsest_language.redaction.secret_rules import CONTEXT_CHARACTERS

_NAMED_AS_SOMETHING_ELSE = re.compile(
    r"(?:order|invoice|tracking|shipment|parcel|ticket|receipt|transaction|serial|isbn|imei|case"
    r"|part|model|reference|ref|booking|waybill|build|issue"
    r"|订单|运单|快递|单号|流水|发票|票号|编号|序列|工单|条码|学号|群)"
    r"[ _-]?(?:numbers?|nos?|ids?|codes?|号码|号)?[\s.#:：=是为\"']*(?:(?:is|was)\s+)?[#\"']?$",
    re.IGNORECASE,
)

_LETTER = re.compile(r"[^\W\d_]")
_NAME_ENDS_WITHIN = 10
"""Characters before a number in which its name must end; that spares long lists of numbers."""


def is_named_as_other_number(text: str, start: int) -> bool:
    """Tell whether the words before name an order, a parcel or a serial number."""
    if _LETTER.search(text, max(0, start - _NAME_ENDS_WITHIN), start) is None:
        return False
    before = max(0, start - CONTEXT_CHARACTERS)
    return _NAMED_AS_SOMETHING_ELSE.search(text, before, start) is not None


def is_number_continued(text: str, end: int) -> bool:
    """Tell whether the number is only the beginning of a longer token."""
    following = text[end : end + 2]
    return bool(following) and (
        (following[0].isascii() and (following[0].isalnum() or following[0] == "_"))
        or (following[0] in ".-" and following[1:].isdigit())
    )
