"""Context: what matters now of everything known about a user, written for a prompt."""
