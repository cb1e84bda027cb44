"""Diagnosis: what is wrong, in words, and what to do about it. One small check for each thing."""

from services.host.diagnosis.checks import diagnose
from services.host.diagnosis.finding import Finding, FindingState

__all__ = ["Finding", "FindingState", "diagnose"]
