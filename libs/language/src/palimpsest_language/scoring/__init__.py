"""Scores proposals, and words that rules leave, by weights learnt from golden dialogues."""
