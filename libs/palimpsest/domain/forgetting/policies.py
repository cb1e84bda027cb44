"""The forgetting policies by name."""

from collections.abc import Mapping

from palimpsest.domain.forgetting.blended import Blended
from palimpsest.domain.forgetting.companion import Companion
from palimpsest.domain.forgetting.gated import Gated
from palimpsest.domain.forgetting.layered import Layered
from palimpsest.domain.forgetting.policy import Forgetting
from palimpsest.domain.user import ForgettingPolicy

POLICIES: Mapping[ForgettingPolicy, Forgetting] = {
    ForgettingPolicy.LAYERED: Layered(),
    ForgettingPolicy.GATED: Gated(),
    ForgettingPolicy.COMPANION: Companion(),
    ForgettingPolicy.BLENDED: Blended(),
}
