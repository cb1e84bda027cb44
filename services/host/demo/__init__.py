"""The main job, once, before your eyes: a bundled conversation in, memories out."""
