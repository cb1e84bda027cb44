"""Finds the best evidence for a question. Reads only."""
