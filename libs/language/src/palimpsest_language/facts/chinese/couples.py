"""That two have parted: 我和林涛分手了, 我离婚了, 我前男友叫林涛."""

import re

from palimpsest_language.facts.chinese.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_NO_NAME = re.compile(
    r"^(?:我|你|他|她|它|这|那|别|谁|大家|公司|单位|老板|同事|朋友|闺蜜|室友|房东|客户|合伙)"
    r"|[的了]$"
)


def refine_former_partner(groups: MatchGroups) -> MatchGroups | None:
    """Somebody by name, who was a partner."""
    tidied = refine_plain(groups)
    return None if tidied is None or _NO_NAME.search(tidied["value"]) else tidied


def refine_single(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    told = tidied["value"]
    parted = "离" in told and "分" not in told
    return {**tidied, "told": told, "value": "离异" if parted else "单身"}
