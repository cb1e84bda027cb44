"""What a statement is about, where no rule has taken it apart: by its topic, and by what is a value of it."""
