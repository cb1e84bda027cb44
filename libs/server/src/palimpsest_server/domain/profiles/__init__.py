"""Profiles of users in a few paragraphs: when they are made anew, and what must survive. Pure."""
