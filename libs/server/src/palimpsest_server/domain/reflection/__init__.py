"""Reflection: what several memories show together, such as repeated times and choices."""
