"""`profile` (004): how many summaries are read."""

ON_REQUEST = 3
"""The nearest to what is asked: `SearchSummaries(..., limit: 3)`."""
AT_THE_START = 5
READ_UNDER_A_BUDGET = 10
"""The newest, from which as many are taken as fit (`LoadRecentSummaries`)."""
