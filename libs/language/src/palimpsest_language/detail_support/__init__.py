"""Numbers, dates and names of a proposal that are neither said nor derived from what was said."""
