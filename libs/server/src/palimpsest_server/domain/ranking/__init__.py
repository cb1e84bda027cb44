"""From what a search found to what is worth returning: gated, weighed, ranked, merged. Pure."""
