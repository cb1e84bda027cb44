"""Chats of other vendors passed on to them, with what is remembered put into the prompt."""
