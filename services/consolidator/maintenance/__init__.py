"""Maintenance: forgetting, merging and quotas, once a day for each namespace."""
