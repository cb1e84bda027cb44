"""Migrations: numbered steps that bring the documents of older versions to those of today."""
