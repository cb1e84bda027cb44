"""The values of Palimpsest: what services and clients tell each other about."""
