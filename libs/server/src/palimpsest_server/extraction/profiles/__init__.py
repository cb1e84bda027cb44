"""The profile of a user in a few paragraphs: by a model, or from the sentences of memories."""
