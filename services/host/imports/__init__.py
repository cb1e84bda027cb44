"""Imports: conversations from a file, published through Kafka like all others."""
