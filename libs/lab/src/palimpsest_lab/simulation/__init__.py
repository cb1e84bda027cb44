"""A year of invented users: what they say, sentence by sentence, in both languages."""
