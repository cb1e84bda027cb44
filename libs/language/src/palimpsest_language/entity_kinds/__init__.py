"""Kinds of the people, animals, organisations, places and technologies that a statement names."""
