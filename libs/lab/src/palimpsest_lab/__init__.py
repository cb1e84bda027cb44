"""Benchmarks over the public API, as a chat service would see it; extraction alone is judged by itself."""
