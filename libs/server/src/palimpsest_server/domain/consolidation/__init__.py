"""How memories change: what is added, what is the same again, what takes another's place. Pure."""
