"""Looking after what is remembered: forgetting, merging, quotas, once a day for each namespace."""
