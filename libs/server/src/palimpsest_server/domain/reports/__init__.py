"""Quality reports: the contents of a namespace, and its contradictions. Pure."""
