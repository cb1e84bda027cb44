"""Stances: what somebody takes, likes or does, and what they refuse, in any words."""
