"""Stances: what somebody takes, likes or does, and what they refuse, whatever the words."""
