"""Benchmarks, over the public API only: what a chat service would see."""
