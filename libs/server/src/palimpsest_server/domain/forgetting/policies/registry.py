"""The forgetting policies by name."""

from collections.abc import Mapping

from palimpsest.model.user import ForgettingPolicy
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingRule
from palimpsest_server.domain.forgetting.policies.blended import BlendedForgetting
from palimpsest_server.domain.forgetting.policies.companion import CompanionForgetting
from palimpsest_server.domain.forgetting.policies.gated import GatedForgetting
from palimpsest_server.domain.forgetting.policies.layered import LayeredForgetting

POLICIES: Mapping[ForgettingPolicy, ForgettingRule] = {
    ForgettingPolicy.LAYERED: LayeredForgetting(),
    ForgettingPolicy.GATED: GatedForgetting(),
    ForgettingPolicy.COMPANION: CompanionForgetting(),
    ForgettingPolicy.BLENDED: BlendedForgetting(),
}
