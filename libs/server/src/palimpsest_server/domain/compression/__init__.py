"""Compression: repeated or unused memories become fewer. Pure."""
