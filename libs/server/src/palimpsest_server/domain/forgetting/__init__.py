"""Forgetting: unused memories are taken out of sight, by lifetimes and named policies. Pure."""
