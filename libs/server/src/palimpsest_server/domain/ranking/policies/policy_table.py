"""The policies by their names."""

from collections.abc import Mapping

from palimpsest.model.ranking_policy import PolicyName
from palimpsest_server.domain.ranking.policies.blended import Blended
from palimpsest_server.domain.ranking.policies.companion import Companion
from palimpsest_server.domain.ranking.policies.gated import Gated
from palimpsest_server.domain.ranking.policies.layered import Layered
from palimpsest_server.domain.ranking.policies.memory_policy import MemoryPolicy

OF_MEMORIES: Mapping[PolicyName, MemoryPolicy] = {
    PolicyName.LAYERED: Layered(),
    PolicyName.BLENDED: Blended(),
    PolicyName.GATED: Gated(),
    PolicyName.COMPANION: Companion(),
}
