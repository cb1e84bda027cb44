"""What is to be done: when it is due, when to speak up, and which of it somebody has done. Pure."""
