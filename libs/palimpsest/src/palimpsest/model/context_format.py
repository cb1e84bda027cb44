"""The names of the formats in which context is written."""

from enum import StrEnum


class FormatName(StrEnum):
    DEFAULT = "default"
    LAYERED = "layered"
    BLENDED = "blended"
    GATED = "gated"
    COMPANION = "companion"
    PROFILE = "profile"
