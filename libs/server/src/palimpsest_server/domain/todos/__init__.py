"""Todos: when they are due, when to remind of them, and which are done. Pure."""
