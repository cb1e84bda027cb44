"""Write memories and messages into a block of a prompt. Pure: texts in, text out."""
