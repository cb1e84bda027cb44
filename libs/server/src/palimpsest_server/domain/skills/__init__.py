"""Skills of an agent: their procedure, their success rate, and their errors."""
