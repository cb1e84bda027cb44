"""Files in which people read and edit memories. Needs the extra `workspace` to watch folders."""
