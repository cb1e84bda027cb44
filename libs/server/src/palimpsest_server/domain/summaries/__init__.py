"""Summaries of conversations in two or three sentences, and which of them counts. Pure."""
