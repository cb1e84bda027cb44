"""Forgetting: hide unused memories, by lifetimes and named policies. Pure."""
