"""Imports: conversations from a file into Palimpsest, through Kafka like anything else."""
