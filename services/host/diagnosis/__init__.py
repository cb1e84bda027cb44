"""What is wrong, in words, and what to do about it: one small check for each thing."""

from services.host.diagnosis.diagnosing import diagnose
from services.host.diagnosis.finding import Finding, State

__all__ = ["Finding", "State", "diagnose"]
