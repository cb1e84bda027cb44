"""Scoring of proposals, and of what rules leave, by weights learnt from golden dialogues."""
