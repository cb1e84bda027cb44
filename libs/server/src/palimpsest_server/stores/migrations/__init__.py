"""Migrations: numbered steps that bring documents of older versions to the current one."""
