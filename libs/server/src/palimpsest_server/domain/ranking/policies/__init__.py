"""The rankings of the design's sources, each by its name and with its own formula."""
