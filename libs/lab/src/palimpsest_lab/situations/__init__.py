"""Situations of everyday use, played to a whole Palimpsest, and the outcome of each."""
