"""Numbers, dates and names of a proposal that nobody said, and that follow from nothing said."""
