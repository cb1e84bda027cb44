"""Diagnosis: small checks that say what is wrong, and what to do about it."""

from services.host.diagnosis.checks import diagnose
from services.host.diagnosis.finding import Finding, FindingState

__all__ = ["Finding", "FindingState", "diagnose"]
