"""What several memories together show: times and choices that repeat, and what comes together."""
