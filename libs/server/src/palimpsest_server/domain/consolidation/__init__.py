"""Consolidation: decide what a new statement adds, repeats or supersedes. Pure."""
