"""Themes of everyday life, in both languages."""

from palimpsest_language.topics.living import LIVING
from palimpsest_language.topics.undertakings import UNDERTAKING

THEMES = (*LIVING, *UNDERTAKING)
