"""Access: the grant of a key or token, decided without I/O."""
