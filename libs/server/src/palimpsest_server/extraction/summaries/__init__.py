"""The summary of a whole conversation: by a model, or from its messages."""
