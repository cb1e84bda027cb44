"""Context: what matters now of all that is known of a user, written down for a prompt."""
