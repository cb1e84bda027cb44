"""What is known of a user in a few paragraphs: when it is made anew, and what must survive. Pure."""
