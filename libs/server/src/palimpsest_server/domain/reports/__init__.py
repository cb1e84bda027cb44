"""How well a namespace is remembered: what stands in it, and what contradicts. Pure."""
