"""What a whole conversation was about: with a model, or taken from what was said."""
