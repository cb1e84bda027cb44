"""Access: what a key or token opens, decided without I/O."""
