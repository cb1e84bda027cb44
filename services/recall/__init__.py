"""Recall: finds the best evidence for a question. It only reads."""
