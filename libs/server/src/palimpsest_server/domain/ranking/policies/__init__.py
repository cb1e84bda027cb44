"""Named ranking policies, each with its own formula."""
