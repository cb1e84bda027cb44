"""Who and what memories name: one entity for each name, whatever way it is written. Pure."""
