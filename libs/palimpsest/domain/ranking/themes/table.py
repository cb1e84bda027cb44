"""Themes of everyday life, in both languages."""

from palimpsest.domain.ranking.themes.living import LIVING
from palimpsest.domain.ranking.themes.undertaking import UNDERTAKING

THEMES = (*LIVING, *UNDERTAKING)
