"""Profiles of users in a few paragraphs: when they are made anew, and which details must survive. Pure."""
