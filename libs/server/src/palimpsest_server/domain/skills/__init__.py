"""What an agent can do: how it was done, how often it worked, and what went wrong."""
