"""Skills of an agent: how they were done, how often they worked, and what went wrong."""
