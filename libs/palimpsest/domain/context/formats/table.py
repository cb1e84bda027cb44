"""The formats by their names, each with the policy that its source ranks by."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from palimpsest.domain.context.formats.blended import blended
from palimpsest.domain.context.formats.companion import companion
from palimpsest.domain.context.formats.default import default
from palimpsest.domain.context.formats.gated import gated
from palimpsest.domain.context.formats.layered import layered
from palimpsest.domain.context.formats.profile import profile
from palimpsest.domain.context.material import Material, Written
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName


class Format(NamedTuple):
    write: Callable[[Material], Written]
    policy: PolicyName | None
    """By which memories are recalled for it; None: it has none of them."""
    last_messages: int | None = None
    """Of the conversation that go with it; None: as many as the deployment says."""
    profile: bool = False
    """Whether it says who the user is."""
    running: bool = False
    """Whether it says what the conversation that goes on was about so far."""


FORMATS: Mapping[FormatName, Format] = {
    FormatName.DEFAULT: Format(default, PolicyName.DEFAULT, profile=True, running=True),
    FormatName.LAYERED: Format(layered, PolicyName.LAYERED),
    FormatName.BLENDED: Format(blended, PolicyName.BLENDED, running=True),
    FormatName.GATED: Format(gated, PolicyName.GATED, last_messages=10),
    FormatName.COMPANION: Format(companion, PolicyName.COMPANION, last_messages=5),
    FormatName.PROFILE: Format(profile, None, profile=True),
}
