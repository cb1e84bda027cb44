"""Exports and imports: whether they lose anything, and what they take."""
