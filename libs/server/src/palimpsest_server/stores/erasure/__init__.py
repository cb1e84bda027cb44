"""Erasure by each owner of collections: tombstones where an id must stay known."""
