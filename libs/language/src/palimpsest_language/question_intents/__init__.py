"""Questions that ask for an attribute of somebody. Pure."""
