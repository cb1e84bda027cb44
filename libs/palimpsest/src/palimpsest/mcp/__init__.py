"""Memories as tools of an agent, over the Model Context Protocol. Needs the extra `mcp`."""
