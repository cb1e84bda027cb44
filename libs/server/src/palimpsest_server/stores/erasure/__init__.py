"""What each owner of collections does about an erasure: tombstones where an id must stay known."""
