"""The formats by their names, each with the policy that it ranks by."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from palimpsest_server.domain.context.formats.blended import write_blended
from palimpsest_server.domain.context.formats.companion import write_companion
from palimpsest_server.domain.context.formats.default import write_default
from palimpsest_server.domain.context.formats.gated import write_gated
from palimpsest_server.domain.context.formats.layered import write_layered
from palimpsest_server.domain.context.formats.profile import write_profile
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext


class ContextFormat(NamedTuple):
    write: Callable[[ContextMaterial], WrittenContext]
    policy: PolicyName | None
    """Policy that recalls memories for the format; None for a format without memories."""
    last_messages: int | None = None
    """Number of last messages beside the context; None for the deployment's setting."""
    profile: bool = False
    """True if the format includes the user's profile."""
    running_summary: bool = False
    """True if the format includes the running summary of the current conversation."""


FORMATS: Mapping[FormatName, ContextFormat] = {
    FormatName.DEFAULT: ContextFormat(
        write_default, PolicyName.DEFAULT, profile=True, running_summary=True
    ),
    FormatName.LAYERED: ContextFormat(write_layered, PolicyName.LAYERED),
    FormatName.BLENDED: ContextFormat(write_blended, PolicyName.BLENDED, running_summary=True),
    FormatName.GATED: ContextFormat(write_gated, PolicyName.GATED, last_messages=10),
    FormatName.COMPANION: ContextFormat(write_companion, PolicyName.COMPANION, last_messages=5),
    FormatName.PROFILE: ContextFormat(write_profile, None, profile=True),
}
