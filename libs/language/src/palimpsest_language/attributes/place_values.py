"""Values that are no place: a floor, a month, a room is nobody's city."""

import re

from palimpsest_language.attributes.attribute_names import canonical_attribute
from palimpsest_language.proposals import Proposal

_OF_PLACES = frozenset({"city", "work_city", "hometown", "country"})
_NO_PLACE = re.compile(
    r"\b(?:floor|storey|story|studio|basement|attic|apartment|flat|house|room|dorms?|building|street"
    r"|shifts?|nights?|home|family|office|january|february|march|april|june|july|august|september"
    r"|october|november|december|spring|summer|autumn|winter|\d{1,4}s?)\b"
    r"|[\d一二三四五六七八九十顶底]+(?:楼|层|单元|室|号楼|栋|月|年)|地下室|出租屋|合租|宿舍|公寓|别墅|民宿"
    r"|公司|附近|隔壁|对面|楼[上下]|家里|单位|学校(?:里|旁)|[春夏秋冬]天",
    re.IGNORECASE,
)


def drop_impossible_place(proposal: Proposal) -> Proposal:
    """Return the proposal without its attribute, if that is a place and the value is none."""
    if proposal.attribute is None or proposal.value is None:
        return proposal
    is_place = canonical_attribute(proposal.attribute) in _OF_PLACES
    if not is_place or _NO_PLACE.search(proposal.value) is None:
        return proposal
    return proposal.model_copy(update={"attribute": None, "value": None})
