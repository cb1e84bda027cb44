"""The formats of the design's sources, and ours, each by its name."""
