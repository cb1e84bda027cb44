"""The policies by their names."""

from collections.abc import Mapping

from palimpsest.model.ranking_policy import PolicyName
from palimpsest_server.domain.ranking.policies.blended import BlendedPolicy
from palimpsest_server.domain.ranking.policies.companion import CompanionPolicy
from palimpsest_server.domain.ranking.policies.gated import GatedPolicy
from palimpsest_server.domain.ranking.policies.layered import LayeredPolicy
from palimpsest_server.domain.ranking.policies.memory_policy import MemoryPolicy

MEMORY_POLICIES: Mapping[PolicyName, MemoryPolicy] = {
    PolicyName.LAYERED: LayeredPolicy(),
    PolicyName.BLENDED: BlendedPolicy(),
    PolicyName.GATED: GatedPolicy(),
    PolicyName.COMPANION: CompanionPolicy(),
}
