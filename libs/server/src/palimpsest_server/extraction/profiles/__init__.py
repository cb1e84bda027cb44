"""What is known of a user, in a few paragraphs: with a model, or sentences from memories."""
