"""Compression: several memories become fewer, repeated ones and unused ones. Pure."""
