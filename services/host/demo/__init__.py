"""The demo: one bundled conversation goes in, memories come out."""
